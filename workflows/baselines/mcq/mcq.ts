/** The MCQ prompt as a workflow (SuRe, section 4.3 and appendix A.7). */

import { answered, unanswered } from '../../../core/result.js';
import type { AlgorithmOf } from '../../define-method.js';
import { findCandidates, withoutChoice } from '../../sure/candidates.js';
import type { mcqMethod } from './method.js';

/** SuRe's candidates, then one direct question with them as choices. */
export const mcq: AlgorithmOf<typeof mcqMethod> = async (asked) => {
  const { question, step } = asked;
  const { retrieved, passages, candidates } = await findCandidates(asked);
  const chain = {
    passages: retrieved,
    candidates: candidates.map((text) => ({ text })),
    choice: null,
    reading: null,
  };
  const ended = withoutChoice(candidates, passages, chain);
  if (ended) return ended;

  const taken = await step.choose({ question, passages, choices: candidates });
  return taken === null
    ? unanswered('unreadable', passages, chain)
    : answered(taken.answer, passages, { ...chain, choice: taken.choice, reading: taken.answer });
};
