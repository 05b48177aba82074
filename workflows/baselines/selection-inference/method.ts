import { passagesOf } from '../../../core/passages-read.js';
import { defineMethod } from '../../define-method.js';
import { selectionInferenceView } from '../views/readers.js';
import { options } from './options.js';
import { selectionInference } from './selection-inference.js';

export const selectionInferenceMethod = defineMethod({
  name: 'selectionInference',
  title: 'Selection-inference: rank the passages, add one after the other until they suffice',
  source:
    'Creswell et al., ICLR 2023, as described in SuRe (Kim et al., ICLR 2024), section 4.1 "Selection-inference"',
  options,
  algorithm: selectionInference,
  passagesRead: passagesOf,
  view: selectionInferenceView,
  steps: ['rankPassages', 'infer', 'read'],
  callsFormula: '1 + the passages that were needed, 1 to N',
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 24.3/32.8, WebQ 17.3/28.6, 2Wiki 22.6/29.5, HotpotQA 30.8/39.6',
});
