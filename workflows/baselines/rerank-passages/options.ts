import { z } from 'zod';
import type { FinalReading } from '../../../core/citations.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import {
  answerForm,
  candidateCount,
  candidatePassages,
  readCount,
  withoutEffect,
} from '../../options.js';
import type { SureCandidate, SureChain } from '../../sure/options.js';

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

export const options = z.strictObject(shape).superRefine(
  withoutEffect(shape, [
    {
      names: ['answerCandidates'],
      when: ({ by, compare }) => ![by, ...compare].includes('sureSummary'),
      because: 'only the order sureSummary names answer candidates',
    },
  ]),
);

export type RerankPassagesOptions = z.output<typeof options>;

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
