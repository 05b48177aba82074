/** The candidates of SuRe and its variants: how they are named, ranked and selected. */

import { type Conclusion, concluded } from '../../../core/result.js';
import type { Demonstration } from '../../../core/vocabulary.js';
import type { PairChoice } from '../../../steps/sure.js';
import type { Question } from '../../algorithm.js';
import type { PairVote, SureCandidate, SureChain } from './chain.js';

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

/** Returns every pair of different items in both orders, so that each is asked twice (SuRe 3.3). */
export function orderedPairs<T>(items: readonly T[]): [T, T][] {
  return items.flatMap((first, i) =>
    items.flatMap((second, j): [T, T][] => (i === j ? [] : [[first, second]])),
  );
}

/** Returns the outcome of a pair in which a summary is missing; undefined if both have one. */
export function choiceWithoutAsking(
  { summary: first }: { summary: string },
  { summary: second }: { summary: string },
): PairChoice | undefined {
  if (first !== '' && second !== '') return undefined;
  if (first === second) return 'tie';
  return first === '' ? 'second' : 'first';
}

/**
 * Adds summary, verdict and rank to each candidate. Verdicts or votes that were not asked for are
 * absent.
 */
export function rankCandidates(
  summaries: readonly { candidate: string; summary: string }[],
  verdicts: readonly boolean[],
  votes: PairVote[],
): Pick<SureChain, 'candidates' | 'votes'> {
  const ranks = votes.length === 0 ? [] : rankScores(summaries.length, votes);
  const candidates = summaries.map(({ candidate, summary }, k) => {
    const [valid, rank] = [verdicts[k], ranks[k]];
    return {
      text: candidate,
      summary,
      ...(valid === undefined ? {} : { valid }),
      ...(rank === undefined ? {} : { rank }),
    };
  });
  return { candidates, votes };
}

/**
 * Returns r_k of each of `count` candidates. For every pair the winner gets 1 and the loser 0; if
 * the two orders disagree, both get 0.5 (SuRe eq. 5). If one of the two votes is unreadable, the
 * other decides.
 */
export function rankScores(count: number, votes: readonly PairVote[]): number[] {
  const positions = Array.from({ length: count }, (_, k) => k);
  return positions.map((k) =>
    positions
      .filter((i) => i !== k)
      .map((i) => pairScore(votes.flatMap((vote) => scoreInVote(vote, k, i) ?? [])))
      .reduce((sum, score) => sum + score, 0),
  );
}

/** Returns r_pair from the readable votes of a pair. */
function pairScore([one, other = one]: readonly number[]): number {
  return one !== undefined && one === other ? one : 0.5;
}

/** Returns the score of candidate k in a vote against candidate i; null for any other vote. */
function scoreInVote({ first, second, choice }: PairVote, k: number, i: number): number | null {
  const asFirst = first === k && second === i;
  const asSecond = first === i && second === k;
  if (choice === null || !(asFirst || asSecond)) return null;
  if (choice === 'tie') return 0.5;
  return (choice === 'first') === asFirst ? 1 : 0;
}

/** Returns the candidate with the highest v + r; of equal ones, the earlier (eq. 6, 4.1). */
export function selectCandidate(candidates: readonly SureCandidate[]): SureCandidate {
  const score = ({ valid = false, rank = 0 }: SureCandidate) => Number(valid) + rank;
  return candidates.reduce((best, candidate) =>
    score(candidate) > score(best) ? candidate : best,
  );
}
