/** The MCQ prompt: an answer from the passages, with candidates as choices (SuRe 4.3, A.7). */
import { UNKNOWN } from '../core/unknown.js';
import { type QuestionInput, readingStep } from './define.js';
import { isAccepted } from './oracles.js';
import { choice } from './outputs/choice.js';
import { mapped } from './outputs/output.js';
import { letter, lettered } from './rendering.js';

export interface ChooseInput extends QuestionInput {
  /** At least two, at most 26. */
  choices: string[];
}

export interface Choice {
  answer: string;
  /** Position among the choices; null if none is right. */
  choice: number | null;
}

export const choose = readingStep<ChooseInput, Choice | null>({
  name: 'choose',
  label: ({ choices }) => `among ${choices.length} choices`,
  prompt: 'choose',
  maxTokens: 64,
  variables: ({ choices }) => ({ choices: lettered(choices, ' ') }),
  output: ({ choices }) =>
    mapped(
      choice<number | null>(
        choices.map((words, k) => ({
          value: k,
          said: [words, `(${letter(k)})`, `(${letter(k)}) ${words}`],
        })),
        { unknown: null },
      ),
      (k) => ({ answer: k === null ? UNKNOWN : (choices[k] ?? ''), choice: k }),
    ),
  costliest: (_, { choices }) => ({ answer: choices[0] ?? '', choice: 0 }),
  // The choices are what it is shown.
  oracle({ choices }, gold) {
    const choice = choices.findIndex((words) => isAccepted(words, gold));
    return choice < 0 ? undefined : { answer: choices[choice] ?? '', choice };
  },
});
