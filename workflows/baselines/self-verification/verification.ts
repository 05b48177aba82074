/** Self-verification's masking of the question, and its choice of the answer. Pure. */

import { answerKey } from '../../../core/answer-key.js';
import { conditionPattern } from '../../../steps/self-verification.js';
import { ballotOf, tally } from '../voting/vote.js';
import type { VerifiedCandidate } from './method.js';

/** What stands in the question in place of a masked part. */
export const MASK = '[X]';

/**
 * Returns the different answers in the order first sampled. A sample that could not be read, or
 * does not know, names none.
 */
export function candidatesOf(samples: readonly ({ answer: string } | null)[]): VerifiedCandidate[] {
  const ballots = samples.map((sample) => ballotOf(sample?.answer ?? null));
  const first = ({ ballots: [position = 0] }: { ballots: number[] }) => position;
  return tally(ballots)
    .sort((a, b) => first(a) - first(b))
    .map(({ answer, weight }) => ({ text: answer, samples: weight }));
}

export function maskCondition(question: string, condition: string): string {
  return question.replace(conditionPattern(condition), () => MASK);
}

/**
 * Tells whether the model found out a masked part: the same words, letter case, articles and
 * punctuation aside, or the words of one within those of the other ("the telephone", "telephone
 * patent").
 */
export function recovers(recovered: string | null, condition: string): boolean {
  if (recovered === null) return false;
  const [one, other] = [` ${answerKey(recovered)} `, ` ${answerKey(condition)} `];
  return one.trim() !== '' && other.trim() !== '' && (one.includes(other) || other.includes(one));
}

/** Puts beside each candidate what was recovered from it, and how much of that is right. */
export function verifyCandidates(
  candidates: readonly VerifiedCandidate[],
  conditions: readonly string[],
  recovered: readonly (string | null)[][],
): VerifiedCandidate[] {
  if (conditions.length === 0) return [...candidates];
  return candidates.map((candidate, k) => {
    const own = recovered[k] ?? [];
    const verified = conditions.filter((condition, i) => recovers(own[i] ?? null, condition));
    return { ...candidate, recovered: own, verified: verified.length };
  });
}

/** Returns the candidate most verified, then most sampled, then the earlier one. */
export function mostVerified(candidates: readonly VerifiedCandidate[]): VerifiedCandidate | null {
  const rank = ({ verified = 0 }: VerifiedCandidate) => verified;
  const [best = null] = candidates.toSorted((a, b) => rank(b) - rank(a) || b.samples - a.samples);
  return best;
}
