/** Reranking of passages, each way that the papers compare: options. Pure. */

import { z } from 'zod';
import type { Method } from '../method.js';
import { candidateCount } from '../options/options.js';
import { withoutEffect } from '../options/without-effect.js';
import type { Given, PlannedCall } from '../planned-call.js';
import { planCandidates, planJudging, type SureCandidate, type SureChain } from '../sure.js';
import type { PassageRef } from '../vocabulary.js';
import {
  answerForm,
  candidatePassages,
  type FinalReading,
  planReading,
  readCount,
} from './final-reading.js';
import { ordersOf } from './passage-orders.js';
import { planWindows, STRIDE, slidingWindows, WINDOW } from './sliding-window.js';

const rankedBy = z.enum([
  'retrieval',
  'embedding',
  'crossEncoder',
  'genericSummary',
  'sureSummary',
  'model',
]);

/** What passages are put in order by. */
export type RankedBy = z.output<typeof rankedBy>;

const shape = {
  passages: readCount,
  candidates: candidatePassages,
  by: rankedBy
    .default('embedding')
    .describe(
      'what orders the passages that are read: the search; the cosine to the question, to a generic summary or to the summary that SuRe chooses; the model; or the cross-encoder that the worker has set up (SuRe 4.3, table 4; LLatrieval 4.1 "Re-ranker")',
    ),
  compare: z
    .array(rankedBy)
    .max(rankedBy.options.length)
    .default([])
    .describe('other orders to find out and show beside it, of which nothing is read'),
  answerCandidates: candidateCount.describe(
    'K, answer candidates of SuRe, where its summary is asked for (SuRe 4.1: 2)',
  ),
  answerForm,
};

const options = z.strictObject(shape).superRefine(
  withoutEffect(shape, [
    {
      names: ['answerCandidates'],
      when: (chosen) => !ordersOf(chosen).includes('sureSummary'),
      because: 'only the order sureSummary names answer candidates',
    },
  ]),
);

export type RerankPassagesOptions = z.output<typeof options>;

/** Retrieve many passages, put them in order, read the best. */
export const rerankPassagesMethod: Method<RerankPassagesOptions> = {
  name: 'rerankPassages',
  title: 'Rerank passages by an embedding, a cross-encoder, a summary or the model, then read',
  source:
    'SuRe (Kim et al., ICLR 2024), section 4.3, table 4; LLatrieval (Li et al., NAACL 2024), section 4.1 "Re-ranker"',
  options,
  steps: [
    'summarizeGeneric',
    'generateCandidates',
    'summarize',
    'validate',
    'rankPair',
    'rankPassages',
    'read',
    'answerWithCitations',
  ],
  callsFormula:
    '1, and for each order: retrieval 0; embedding, crossEncoder 1; genericSummary 2; sureSummary 2 + 2K + K(K-1); model ceil((N - 20)/10) + 1, which is 1 up to 20 passages; together 2 by default',
  calls: (chosen) => ordersOf(chosen).reduce((calls, by) => calls + callsOf[by](chosen), 1),
  plan: (chosen, given) => [
    { step: 'retrieve', input: { query: given.question } },
    ...ordersOf(chosen).flatMap((by) => plans[by](chosen, given)),
    planReading(chosen, given),
  ],
  figures:
    'EM/F1, ChatGPT + BM25, k=1, N=10: retrieval NQ 12.6/18.8, WebQ 9.0/17.6, 2Wiki 14.8/18.1, HotpotQA 21.8/28.3; embedding 18.2/26.4, 11.4/21.1, 14.8/18.1, 20.2/27.2; model 20.0/28.4, 14.2/24.4, 18.2/21.3, 26.0/34.4; genericSummary 21.2/31.7, 13.6/25.3, 17.8/21.1, 27.0/34.3; sureSummary 23.2/32.5, 15.4/28.0, 18.0/21.5, 28.8/36.7; correctness/citation F1, gpt-3.5-turbo-0301, cited answers, k=5, N=50: BGE-R-large ASQA 55.3/58.1, QAMPARI 20.7/28.5, ELI5 13.9/63.6; monoT5-3B 54.0/56.6, 20.3/30.0, 13.9/61.7',
};

const callsOf: Record<RankedBy, (options: RerankPassagesOptions) => number> = {
  retrieval: () => 0,
  embedding: () => 1,
  crossEncoder: () => 1,
  genericSummary: () => 2,
  sureSummary: ({ answerCandidates: k }) => 2 + 2 * k + k * (k - 1),
  model: ({ candidates }) => slidingWindows(candidates, WINDOW, STRIDE).length,
};

const plans: Record<RankedBy, (options: RerankPassagesOptions, given: Given) => PlannedCall[]> = {
  retrieval: () => [],
  embedding: (chosen, given) => [
    { step: 'rankBySimilarity', input: allNear(given.question, chosen, given) },
  ],
  crossEncoder: (chosen, given) => [
    { step: 'rankByCrossEncoder', input: allNear(given.question, chosen, given) },
  ],
  genericSummary: (chosen, given) => {
    const { text: question, passages } = allNear(given.question, chosen, given);
    const near = allNear(given.output('summarizeGeneric'), chosen, given);
    return [
      { step: 'summarizeGeneric', input: { question, passages } },
      { step: 'rankBySimilarity', input: near },
    ];
  },
  sureSummary: (chosen, given) => {
    const { candidates: passages, answerCandidates: candidates } = chosen;
    const asked = { passages, candidates, selection: 'validityAndRanking' as const };
    const near = allNear(given.output('summarize'), chosen, given);
    return [
      planCandidates(asked, given),
      ...planJudging(asked, given),
      { step: 'rankBySimilarity', input: near },
    ];
  },
  model: ({ candidates }, given) =>
    planWindows({ candidates, window: WINDOW, stride: STRIDE }, given),
};

/** All passages, to be put in order by how near they are to a text. */
function allNear(text: string, { candidates }: RerankPassagesOptions, { passages }: Given) {
  return { text, passages: passages(candidates) };
}

/** The passages in one order, and what led to it. */
export interface PassageRanking {
  by: RankedBy;
  /** Of the summaries: the text they are near to; null where there was none, and no new order. */
  summary?: string | null;
  /** Of SuRe's summary: what it was chosen among. */
  candidates?: SureCandidate[];
  votes?: SureChain['votes'];
  /** All of them, best first. The score is that of what they are ordered by; of the model 1/rank. */
  ranked: PassageRef[];
}

export interface RerankPassagesChain extends FinalReading {
  /** In retrieval order. */
  passages: PassageRef[];
  /** The one whose first k passages were read, then those to compare it with. */
  rankings: PassageRanking[];
}
