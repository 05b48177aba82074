import { inOrder } from '../../../core/passages-read.js';
import { defineMethod } from '../../define-method.js';
import { rankGptView } from '../views/searches.js';
import { options, type RankGptChain } from './options.js';
import { rankGpt } from './rank-gpt.js';

export const rankGptMethod = defineMethod({
  name: 'rankGpt',
  title: 'RankGPT: rerank by permutations of sliding windows, then read',
  source:
    'Sun et al., EMNLP 2023, as described in LLatrieval (Li et al., NAACL 2024), section 4.1 "LLM-reranking"',
  options,
  algorithm: rankGpt,
  passagesRead: ({ passages, order }: RankGptChain) => inOrder(passages, order),
  cites: ({ answerForm }) => (answerForm === 'short' ? undefined : answerForm),
  view: rankGptView,
  steps: ['rankPassages', 'read', 'answerWithCitations'],
  callsFormula: '1 + ceil((N - w)/s) windows + 1, which is 5 by default; one window where N <= w',
  figures:
    'correctness/citation F1, gpt-3.5-turbo-0301, cited answers, k=5, N=50: ASQA 56.4/58.7, QAMPARI 20.7/29.6, ELI5 13.5/61.6 (N=100: 57.0/59.2, 22.0/30.5, 13.5/60.4)',
});
