/** An answer from the passages so far, or that they do not suffice (SuRe 4.1, Creswell et al.). */
import { UNKNOWN } from '../core/unknown.js';
import { type QuestionInput, readingStep } from './define.js';
import { shownAnswer } from './oracles.js';
import { mapped } from './outputs/output.js';
import { shortAnswer } from './outputs/short-answer.js';

/** Given the most helpful first. Null when more are needed, and when the output stayed unreadable. */
export const infer = readingStep<QuestionInput, string | null>({
  name: 'infer',
  label: ({ passages }) => `the first ${passages.length} passages`,
  prompt: 'infer',
  maxTokens: 64,
  output: mapped(shortAnswer({ form: 'the answer only, or INSUFFICIENT' }), (answer) =>
    answer === UNKNOWN ? null : answer,
  ),
  costliest: () => null,
  // More passages are needed while none holds it.
  oracle: (_, gold) => (gold.answers.length === 0 ? undefined : (shownAnswer(gold) ?? null)),
});
