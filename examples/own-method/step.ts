/** A step of one's own: what is asked, and the type of what comes back. */
import { defineStep, verdict } from 'durable-rag/steps';

interface SecondLookInput {
  question: string;
  answer: string;
  /** Ids; the texts are put in where the prompt is rendered. */
  passages: string[];
}

export const secondLook = defineStep<SecondLookInput, boolean>({
  name: 'secondLook',
  label: ({ answer }) => `at: ${answer}`,
  prompt: {
    name: 'second-look',
    text: `{{passages}}

Somebody answered the question below after reading the passages above. Look again: is the answer right? Reply with Yes or No.

Question: {{question}}
Answer: {{answer}}
`,
  },
  maxTokens: 16,
  passages: ({ passages }) => passages,
  output: verdict('Yes'),
  fallback: () => false,
});
