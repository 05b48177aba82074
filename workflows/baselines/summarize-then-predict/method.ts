import { passagesOf } from '../../../core/passages-read.js';
import { defineMethod } from '../../define-method.js';
import { summarizeThenPredictView } from '../views/readers.js';
import { options } from './options.js';
import { summarizeThenPredict } from './summarize-then-predict.js';

export const summarizeThenPredictMethod = defineMethod({
  name: 'summarizeThenPredict',
  title: 'Generic summary, then predict from it',
  source: 'SuRe (Kim et al., ICLR 2024), section 4.3 "Sum-and-pred (Gen)", appendix A.6',
  options,
  algorithm: summarizeThenPredict,
  passagesRead: passagesOf,
  view: summarizeThenPredictView,
  steps: ['summarizeGeneric', 'readSummaries', 'read'],
  callsFormula: '2; 1 when no passage was found',
  figures:
    'EM/F1, ChatGPT + BM25, N=10, 500 questions each: NQ 26.4/37.8, WebQ 19.8/32.6, 2Wiki 25.6/32.3, HotpotQA 33.8/43.3',
});
