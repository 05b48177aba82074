/** Summarise, then predict: options. Pure. */
import { z } from 'zod';
import type { Method } from '../method.js';
import { passageCount } from '../options/options.js';
import type { PassageRef } from '../vocabulary.js';

const options = z.strictObject({ passages: passageCount });

export type SummarizeThenPredictOptions = z.output<typeof options>;

/** One summary for the question, conditioned on no candidate, read in place of the passages. */
export const summarizeThenPredictMethod: Method<SummarizeThenPredictOptions> = {
  name: 'summarizeThenPredict',
  title: 'Generic summary, then predict from it',
  source: 'SuRe (Kim et al., ICLR 2024), section 4.3 "Sum-and-pred (Gen)", appendix A.6',
  options,
  steps: ['summarizeGeneric', 'readSummaries', 'read'],
  callsFormula: '2; 1 when no passage was found',
  calls: () => 2,
  plan: ({ passages: count }, { question, passages, output }) => [
    { step: 'retrieve', input: { query: question } },
    { step: 'summarizeGeneric', input: { question, passages: passages(count) } },
    {
      step: 'readSummaries',
      input: { question, passages: [], summaries: [output('summarizeGeneric')] },
    },
  ],
  figures:
    'EM/F1, ChatGPT + BM25, N=10, 500 questions each: NQ 26.4/37.8, WebQ 19.8/32.6, 2Wiki 25.6/32.3, HotpotQA 33.8/43.3',
};

export interface SummarizeThenPredictChain {
  passages: PassageRef[];
  /** Null when there was no passage to summarise. */
  summary: string | null;
  /** The model's answer as read; null when it could not be read. */
  reading: string | null;
}
