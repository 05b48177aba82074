/** ITER-RETGEN: an answer by chain of thought, with all of the output, which is the next query. */
import { type QuestionInput, readingStep } from './define.js';
import { ifShown } from './oracles.js';
import { reasoned } from './outputs/labelled.js';
import { mapped } from './outputs/output.js';

export interface ThinkAndAnswerInput extends QuestionInput {
  /** Which iteration, from 0. */
  iteration: number;
}

export interface ThoughtAndAnswer {
  /** All that the model wrote. */
  output: string;
  /** Null when no answer could be read in it. */
  answer: string | null;
}

export const thinkAndAnswer = readingStep<ThinkAndAnswerInput, ThoughtAndAnswer>({
  name: 'thinkAndAnswer',
  label: ({ iteration, passages }) => `iteration ${iteration + 1}, ${passages.length} passages`,
  prompt: 'think-and-answer',
  maxTokens: 512,
  output: mapped(
    reasoned('brief reasoning, and at the end a line that begins with "So the answer is:"'),
    ({ answer }, { text }) => ({ output: text.trim(), answer }),
  ),
  fallback: ({ text }) => ({ output: text.trim(), answer: null }),
  costliest: (longest) => ({ output: longest, answer: longest }),
  oracle: (_, gold) => ifShown(gold, (answer) => ({ output: answer, answer })),
});
