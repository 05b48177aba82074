import { passagesOf } from '../../../core/passages-read.js';
import { defineMethod } from '../../define-method.js';
import { mcqView } from '../views/candidates.js';
import { mcq } from './mcq.js';
import { options } from './options.js';

export const mcqMethod = defineMethod({
  name: 'mcq',
  title: 'MCQ prompt: choose among candidates directly',
  source: 'SuRe (Kim et al., ICLR 2024), section 4.3 "MCQ prompt", appendix A.7',
  options,
  algorithm: mcq,
  passagesRead: passagesOf,
  view: mcqView,
  steps: ['generateCandidates', 'choose'],
  callsFormula: '2; 1 when a single candidate comes back',
  figures:
    'EM/F1, ChatGPT + BM25, N=10, 500 questions each: NQ 35.2/45.3, WebQ 22.4/35.1, 2Wiki 30.4/36.1, HotpotQA 31.0/41.5',
});
