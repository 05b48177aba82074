/** SuRe: options, and what led to its answer. Pure. */

import { z } from 'zod';
import type { Method } from './method.js';
import { candidateCount, demonstrations, passageCount } from './options/options.js';
import { type Given, type PlannedCall, partOf, times } from './planned-call.js';
import type { Demonstration, PassageRef } from './vocabulary.js';

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
  steps: ['generateCandidates', 'summarize', 'validate', 'rankPair'],
  callsFormula:
    '1 + K + K + K(K-1), without the K of validity or the K(K-1) of ranking where only the other decides; 1 when a single candidate comes back',
  calls: ({ candidates: k, selection }) =>
    1 + k + (selection === 'ranking' ? 0 : k) + (selection === 'validity' ? 0 : k * (k - 1)),
  plan: (chosen, given) => [
    { step: 'retrieve', input: { query: given.question } },
    planCandidates(chosen, given),
    ...planJudging(chosen, given),
  ],
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 33.5/42.3, WebQ 25.1/36.6, 2Wiki 32.8/38.1, HotpotQA 33.2/43.4',
};

interface CandidateOptions {
  passages: number;
  candidates: number;
  demonstrations?: readonly Demonstration[];
}

/** The call that names the candidates. */
export function planCandidates(
  { passages: n, candidates: count, demonstrations = [] }: CandidateOptions,
  { question, passages }: Given,
): PlannedCall {
  const input = { question, passages: passages(n), count, demonstrations };
  return { step: 'generateCandidates', input };
}

/** The candidates, which one output names together. */
export function plannedCandidates(
  { candidates: k }: CandidateOptions,
  { output }: Given,
): string[] {
  const named = output('generateCandidates', { count: k });
  return times(k, () => partOf(named, k));
}

/** The call for the summary of each candidate. */
export function planSummaries(chosen: CandidateOptions, given: Given): PlannedCall[] {
  const candidates = plannedCandidates(chosen, given);
  const shown = { question: given.question, passages: given.passages(chosen.passages), candidates };
  return candidates.map((_, k) => ({ step: 'summarize', input: { ...shown, k } }));
}

/** Summaries, verdicts and votes. */
export function planJudging(
  { selection, ...chosen }: CandidateOptions & Pick<SureOptions, 'selection'>,
  given: Given,
): PlannedCall[] {
  const { question } = given;
  const { candidates: k } = chosen;
  const summary = given.output('summarize');
  const shown = { k: 0, summary };
  const [candidate] = plannedCandidates(chosen, given);
  return [
    ...planSummaries(chosen, given),
    ...times(selection === 'ranking' ? 0 : k, () => ({
      step: 'validate' as const,
      input: { question, candidate, summary },
    })),
    ...times(selection === 'validity' ? 0 : k * (k - 1), () => ({
      step: 'rankPair' as const,
      input: { question, first: shown, second: shown },
    })),
  ];
}

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
