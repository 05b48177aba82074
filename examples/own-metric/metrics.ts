/** Two metrics of one's own: one that is computed, and one that the judge of a run tells. */
import { defineMetric } from 'durable-rag/methods';

/** Whether the answer stands, word for word, in what was read. */
export const grounded = defineMetric({
  name: 'grounded',
  title: 'Grounded',
  applies: ({ answerKind }) => answerKind === 'span',
  score: ({ answer, passages }) =>
    passages.some(({ text }) => text.toLowerCase().includes(answer.toLowerCase())),
});

export const helpful = defineMetric({
  from: 'rubric',
  name: 'helpful',
  title: 'Helpfulness',
  prompt: {
    name: 'helpful',
    text: `Question: {{question}}
Answer: {{answer}}
A right answer: {{goldAnswers}}

How helpful is the answer to somebody who asks this? Reply with one number: 1 (of no use) to 5 (all that is needed, and nothing else).
=== again ===
Your last reply could not be read. Reply with one number from 1 to 5.
`,
  },
  scale: { from: 1, to: 5 },
});
