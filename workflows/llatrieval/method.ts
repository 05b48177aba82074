import { inOrder } from '../../core/passages-read.js';
import { defineMethod } from '../define-method.js';
import { llatrieval } from './llatrieval.js';
import { type LlatrievalChain, options } from './options.js';
import { llatrievalView } from './view.js';

/** "LLatrieval: LLM-Verified Retrieval for Verifiable Generation". */
export const llatrievalMethod = defineMethod({
  name: 'llatrieval',
  title: 'LLatrieval: retrieval until the documents are verified, then a cited answer',
  source: 'LLatrieval (Li et al., NAACL 2024), section 3, algorithm 1, appendix A',
  options,
  algorithm: llatrieval,
  passagesRead: ({ supporting, iterations }: LlatrievalChain) =>
    inOrder(
      iterations.flatMap(({ found }) => found),
      supporting.map(({ id }) => id),
    ),
  cites: ({ answerForm }) => answerForm,
  view: llatrievalView,
  steps: [
    'hypotheticalPassage',
    'summarizeDocument',
    'selectDocuments',
    'verifyClassify',
    'verifyScore',
    'missingInfoQuery',
    'answerWithCitations',
  ],
  callsFormula:
    'for I iterations, 1 to T: I·N summaries + windows + I verifications + (I - 1) queries + 1 answer; windows: 1 + ceil((N - w)/(w - k)) in the first, then ceil(N/(w - k)); at most 223 by default, 55 when the first iteration passes; 23 and 5 without summaries; 1 more with a hypothetical passage',
  figures:
    'correctness/citation F1, gpt-3.5-turbo-0301, k=5 N=50 w=20 T=4: ASQA 57.7/61.1, QAMPARI 24.3/34.4, ELI5 16.5/71.3 (BGE-large alone: 55.9/57.5, 17.3/24.0)',
});
