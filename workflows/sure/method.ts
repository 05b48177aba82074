import { passagesOf } from '../../core/passages-read.js';
import { defineMethod } from '../define-method.js';
import { options } from './options.js';
import { sure } from './sure.js';
import { sureView } from './view.js';

/** SuRe, "Summarizing Retrievals using Answer Candidates for Open-domain QA of LLMs". */
export const sureMethod = defineMethod({
  name: 'sure',
  title: 'SuRe: summarized retrieval',
  source: 'SuRe (Kim et al., ICLR 2024), section 3, algorithm 1',
  options,
  algorithm: sure,
  passagesRead: passagesOf,
  view: sureView,
  steps: ['generateCandidates', 'summarize', 'validate', 'rankPair'],
  callsFormula:
    '1 + K + K + K(K-1), without the K of validity or the K(K-1) of ranking where only the other decides; 1 when a single candidate comes back',
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 33.5/42.3, WebQ 25.1/36.6, 2Wiki 32.8/38.1, HotpotQA 33.2/43.4',
});
