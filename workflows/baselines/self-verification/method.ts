import { passagesOf } from '../../../core/passages-read.js';
import { defineMethod } from '../../define-method.js';
import { selfVerificationView } from '../views/candidates.js';
import { options } from './options.js';
import { selfVerification } from './self-verification.js';

export const selfVerificationMethod = defineMethod({
  name: 'selfVerification',
  title: 'Self-verification: sampled answers, verified by masking the question',
  source:
    'Weng et al., 2022, as described in SuRe (Kim et al., ICLR 2024), section 4.1 "Self-verification"',
  options,
  algorithm: selfVerification,
  passagesRead: passagesOf,
  searches: ({ passages }) => passages > 0,
  view: selfVerificationView,
  steps: ['reason', 'nameConditions', 'recoverCondition'],
  callsFormula: 'S + 1 + C M for S samples, C candidates (1 to S), M conditions; S when C = 1',
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 25.2/35.4, WebQ 16.1/28.5, 2Wiki 23.2/30.5, HotpotQA 31.6/41.8',
});
