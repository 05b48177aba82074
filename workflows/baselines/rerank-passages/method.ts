import { inOrder } from '../../../core/passages-read.js';
import { defineMethod } from '../../define-method.js';
import { rerankPassagesView } from '../views/searches.js';
import { options, type RerankPassagesChain } from './options.js';
import { rerankPassages } from './rerank-passages.js';

export const rerankPassagesMethod = defineMethod({
  name: 'rerankPassages',
  title: 'Rerank passages by an embedding, a cross-encoder, a summary or the model, then read',
  source:
    'SuRe (Kim et al., ICLR 2024), section 4.3, table 4; LLatrieval (Li et al., NAACL 2024), section 4.1 "Re-ranker"',
  options,
  algorithm: rerankPassages,
  passagesRead: ({ passages, rankings: [first] }: RerankPassagesChain) =>
    inOrder(
      passages,
      (first?.ranked ?? passages).map(({ id }) => id),
    ),
  cites: ({ answerForm }) => (answerForm === 'short' ? undefined : answerForm),
  view: rerankPassagesView,
  steps: [
    'summarizeGeneric',
    'generateCandidates',
    'summarize',
    'validate',
    'rankPair',
    'rankPassages',
    'read',
    'answerWithCitations',
  ],
  callsFormula:
    '1, and for each order: retrieval 0; embedding, crossEncoder 1; genericSummary 2; sureSummary 2 + 2K + K(K-1); model ceil((N - 20)/10) + 1, which is 1 up to 20 passages; together 2 by default',
  figures:
    'EM/F1, ChatGPT + BM25, k=1, N=10: retrieval NQ 12.6/18.8, WebQ 9.0/17.6, 2Wiki 14.8/18.1, HotpotQA 21.8/28.3; embedding 18.2/26.4, 11.4/21.1, 14.8/18.1, 20.2/27.2; model 20.0/28.4, 14.2/24.4, 18.2/21.3, 26.0/34.4; genericSummary 21.2/31.7, 13.6/25.3, 17.8/21.1, 27.0/34.3; sureSummary 23.2/32.5, 15.4/28.0, 18.0/21.5, 28.8/36.7; correctness/citation F1, gpt-3.5-turbo-0301, cited answers, k=5, N=50: BGE-R-large ASQA 55.3/58.1, QAMPARI 20.7/28.5, ELI5 13.9/63.6; monoT5-3B 54.0/56.6, 20.3/30.0, 13.9/61.7',
});
