/** SuRe: options, and the choice of the answer from verdicts and votes. Pure. */
import { z } from 'zod';
import type { Method } from './method.js';
import { candidateCount, demonstrations, passageCount } from './options.js';
import type { PassageRef } from './vocabulary.js';

const options = z.strictObject({
  passages: passageCount,
  candidates: candidateCount,
  demonstrations,
  selection: z
    .enum(['validityAndRanking', 'ranking', 'validity'])
    .default('validityAndRanking')
    .describe('what decides among the candidates (SuRe 3.3: both; 4.3, table 3: ranking only)'),
});

export type SureOptions = z.output<typeof options>;

/** SuRe, "Summarizing Retrievals using Answer Candidates for Open-domain QA of LLMs". */
export const sureMethod: Method<SureOptions> = {
  name: 'sure',
  title: 'SuRe: summarized retrieval',
  source: 'SuRe (Kim et al., ICLR 2024), section 3, algorithm 1',
  options,
  callsFormula:
    '1 + K + K + K(K-1), without the K of validity or the K(K-1) of ranking where only the other decides; 1 when a single candidate comes back',
  calls: ({ candidates: k, selection }) =>
    1 + k + (selection === 'ranking' ? 0 : k) + (selection === 'validity' ? 0 : k * (k - 1)),
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 33.5/42.3, WebQ 25.1/36.6, 2Wiki 32.8/38.1, HotpotQA 33.2/43.4',
};

/** Which of two summaries the model preferred: the first shown, the second, neither. */
export type PairChoice = 'first' | 'second' | 'tie';

/** One of the two times a pair was asked. Null choice: the output could not be read. */
export interface PairVote {
  /** Position of the candidate whose summary was shown first. */
  first: number;
  second: number;
  choice: PairChoice | null;
}

export interface SureCandidate {
  text: string;
  /** The passage the model wrote in support of this candidate; absent when it was the only one. */
  summary?: string;
  /** v: does the summary support the candidate; absent where ranking alone decides. */
  valid?: boolean;
  /** r: the sum of its pairwise scores; absent where validity alone decides. */
  rank?: number;
}

export interface SureChain {
  passages: PassageRef[];
  candidates: SureCandidate[];
  votes: PairVote[];
}

/** Every pair of different items in both orders, so that each is asked twice (SuRe 3.3). */
export function orderedPairs<T>(items: readonly T[]): [T, T][] {
  return items.flatMap((first, i) =>
    items.flatMap((second, j): [T, T][] => (i === j ? [] : [[first, second]])),
  );
}

/**
 * Puts what was found out about each candidate beside it: summary, verdict and rank. Where no
 * verdicts or no votes were asked for, there is none of them.
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
 * r_k of each of `count` candidates: of every pair, 1 to the winner and 0 to the loser, or 0.5 to
 * both when the two orders disagree (SuRe eq. 5). Where one of the two votes could not be read the
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

/** r_pair from the readable votes of a pair. */
function pairScore([one, other = one]: readonly number[]): number {
  return one !== undefined && one === other ? one : 0.5;
}

/** What candidate k gets from a vote against candidate i; null when it was another vote. */
function scoreInVote({ first, second, choice }: PairVote, k: number, i: number): number | null {
  const asFirst = first === k && second === i;
  const asSecond = first === i && second === k;
  if (choice === null || !(asFirst || asSecond)) return null;
  if (choice === 'tie') return 0.5;
  return (choice === 'first') === asFirst ? 1 : 0;
}

/** The candidate with the highest v + r; of equals the one named earlier (SuRe eq. 6, 4.1). */
export function selectCandidate(candidates: readonly SureCandidate[]): SureCandidate {
  const score = ({ valid = false, rank = 0 }: SureCandidate) => Number(valid) + rank;
  return candidates.reduce((best, candidate) =>
    score(candidate) > score(best) ? candidate : best,
  );
}
