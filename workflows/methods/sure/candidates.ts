/** The start of SuRe and its variants: retrieves passages, names candidates, and may end early. */

import { type Conclusion, concluded } from '../../../core/result.js';
import type { Demonstration } from '../../../core/vocabulary.js';
import type { Question } from '../../algorithm.js';

interface CandidateOptions {
  passages: number;
  candidates: number;
  demonstrations: Demonstration[];
  /** Short by default. */
  answerForm?: 'short' | 'prose';
}

/**
 * Carries out SuRe's steps 1 and 2 (algorithm 1, line 2). Flags fewer candidates than asked for.
 */
export async function findCandidates(asked: Question<CandidateOptions>) {
  const { question, options, step } = asked;
  const retrieved = await step.retrieve({ query: question, count: options.passages });
  const passages = retrieved.map(({ id }) => id);
  const candidates = await nameCandidates(asked, passages, options);
  return { retrieved, passages, candidates };
}

/** Carries out SuRe's step 2 alone. @param passages Ids. */
export async function nameCandidates(
  { question, step, flag }: Omit<Question<unknown>, 'options'>,
  passages: string[],
  { candidates: count, demonstrations, answerForm }: Omit<CandidateOptions, 'passages'>,
): Promise<string[]> {
  const candidates = await step.generateCandidates({
    question,
    passages,
    count,
    demonstrations,
    ...(answerForm === 'prose' && { long: true }),
  });
  if (candidates.length < count) {
    flag('fewerCandidates', 'generateCandidates', `${candidates.length} of ${count}`);
  }
  return candidates;
}

/**
 * Concludes a question that has nothing to choose from. A single candidate is the answer; without
 * one, the model's output could not be read.
 *
 * @returns Undefined if there are two candidates or more.
 */
export function withoutChoice<C>(
  candidates: readonly string[],
  evidence: string[],
  chain: C,
): Conclusion<C> | undefined {
  const [only, another] = candidates;
  if (another !== undefined) return undefined;
  return concluded(only ?? null, evidence, chain);
}
