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
 * Retrieves passages and generates answer candidates from them (SuRe, algorithm 1, line 2). Flags
 * fewer candidates than asked for. `passages` has the ids of `retrieved`.
 */
export async function findCandidates(asked: Question<CandidateOptions>) {
  const { question, options, step } = asked;
  const retrieved = await step.retrieve({ query: question, count: options.passages });
  const passages = retrieved.map(({ id }) => id);
  const candidates = await nameCandidates(asked, passages, options);
  return { retrieved, passages, candidates };
}

/**
 * Returns answer candidates generated from passages, and flags fewer than asked for.
 *
 * @param passages Ids.
 */
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
 * Returns the conclusion if there is nothing to choose from: a single candidate is the answer;
 * without one, the output is unreadable. Undefined if there are two candidates or more.
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

/** Returns every pair of different items in both orders (SuRe 3.3). */
export function orderedPairs<T>(items: readonly T[]): [T, T][] {
  return items.flatMap((first, i) =>
    items.flatMap((second, j): [T, T][] => (i === j ? [] : [[first, second]])),
  );
}

/** Returns the choice in a pair in which a summary is empty; undefined if neither is. */
export function choiceWithoutAsking(
  { summary: first }: { summary: string },
  { summary: second }: { summary: string },
): PairChoice | undefined {
  if (first !== '' && second !== '') return undefined;
  if (first === second) return 'tie';
  return first === '' ? 'second' : 'first';
}

/**
 * Returns the candidates with their summaries, verdicts (v) and ranks (r), and the votes.
 *
 * @param verdicts By candidate; empty if they were not asked for.
 * @param votes Empty if they were not asked for.
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
 * Returns the rank score r_k of each of `count` candidates: for every pair, the winner gets 1 and
 * the loser 0; if the votes in the two orders disagree, both get 0.5 (SuRe eq. 5). If one of the
 * votes is unreadable, the other decides.
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
