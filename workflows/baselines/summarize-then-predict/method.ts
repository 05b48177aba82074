import { z } from 'zod';
import type { PassageRef } from '../../../core/vocabulary.js';
import { baseView, section, text } from '../../../report/views/parts.js';
import { defineMethod } from '../../define-method.js';
import { passageCount } from '../../options.js';

export interface SummarizeThenPredictChain {
  passages: PassageRef[];
  /** Null when there was no passage to summarise. */
  summary: string | null;
  /** The model's answer as read; null when it could not be read. */
  reading: string | null;
}

export const summarizeThenPredictMethod = defineMethod({
  name: 'summarizeThenPredict',
  title: 'Generic summary, then predict from it',
  source: 'SuRe (Kim et al., ICLR 2024), section 4.3 "Sum-and-pred (Gen)", appendix A.6',
  options: z.strictObject({ passages: passageCount }),
  view: (chain: SummarizeThenPredictChain, context) => [
    ...section('Summary', text(chain.summary)),
    ...baseView(chain, context),
  ],
  steps: ['summarizeGeneric', 'readSummaries', 'read'],
  callsFormula: '2; 1 when no passage was found',
  figures:
    'EM/F1, ChatGPT + BM25, N=10, 500 questions each: NQ 26.4/37.8, WebQ 19.8/32.6, 2Wiki 25.6/32.3, HotpotQA 33.8/43.3',
});
