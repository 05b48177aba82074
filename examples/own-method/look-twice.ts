/** A method of one's own: `base`, whose answer is kept if a second look confirms it. */
import {
  answered,
  defineMethod,
  defineStep,
  passageCount,
  unanswered,
  verdict,
} from 'durable-rag/methods';

interface SecondLookInput {
  question: string;
  answer: string;
  /** Ids; the texts are put in where the prompt is rendered. */
  passages: string[];
}

/** What is asked, and the type of what comes back. */
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

export const lookTwice = defineMethod({
  module: import.meta.url,
  name: 'lookTwice',
  title: 'Base, with a second look at the answer',
  options: { passages: passageCount.default(5) },

  async algorithm({ question, options, step, ask }) {
    const retrieved = await step.retrieve({ query: question, count: options.passages });
    const passages = retrieved.map(({ id }) => id);

    const reading = await step.read({ question, passages, demonstrations: [] });
    if (reading === null) {
      return unanswered('unreadable', passages, { passages: retrieved, reading });
    }
    const confirmed = await ask(secondLook, { question, answer: reading, passages });
    const chain = { passages: retrieved, reading, confirmed };
    return confirmed ? answered(reading, passages, chain) : unanswered('unknown', passages, chain);
  },
});
