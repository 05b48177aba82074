import { passagesOf } from '../../../core/passages-read.js';
import { defineMethod } from '../../define-method.js';
import { conditionalSummariesView } from '../views/candidates.js';
import { conditionalSummaries } from './conditional-summaries.js';
import { options } from './options.js';

export const conditionalSummariesMethod = defineMethod({
  name: 'conditionalSummaries',
  title: 'Base with conditional summaries appended',
  source: 'SuRe (Kim et al., ICLR 2024), section 4.3, table 3 "Conditional summarizations"',
  options,
  algorithm: conditionalSummaries,
  passagesRead: passagesOf,
  view: conditionalSummariesView,
  steps: ['generateCandidates', 'summarize', 'readSummaries'],
  callsFormula: '1 + K + 1; 1 when a single candidate comes back',
  figures:
    'EM/F1, ChatGPT + BM25, N=10, 500 questions each: NQ 30.4/40.9, WebQ 20.8/33.5, 2Wiki 29.2/34.5, HotpotQA 33.0/43.4',
});
