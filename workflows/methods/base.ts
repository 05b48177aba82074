/** The base reader: retrieve, then read (SuRe, section 4.1 and appendix A.5). */

import type { FinalReading } from '../../core/citations.js';
import { chainPassages } from '../../core/passages-read.js';
import type { Conclusion } from '../../core/result.js';
import type { PassageRef } from '../../core/vocabulary.js';
import { baseView } from '../../report/views/section-parts.js';
import { defineMethod } from '../define-method.js';
import { answerForm, demonstrations, optionalPassageCount, optionsOf } from './options.js';
import { readBest } from './read-best.js';

const options = optionsOf(
  { passages: optionalPassageCount, demonstrations, answerForm },
  {
    refused: {
      answerForm: ({ passages, answerForm: form }) =>
        passages === 0 &&
        form !== 'short' &&
        'cites passages, and there are none to cite: leave it out, or retrieve some',
    },
    unread: {
      demonstrations: ({ answerForm: form }) =>
        form !== 'short' && 'they are examples of short answers',
    },
  },
);

/**
 * The chain of `base`, of `noRetrieval`, and of methods that read passages in the same way: the
 * passages, the answer as read, and its citations if the prompt asked for any. The answer is null
 * if it could not be read, or if there was no passage to cite.
 */
export interface BaseChain extends FinalReading {
  passages: PassageRef[];
}

/**
 * The method `base`: retrieves passages and reads the answer from them in one call (the baseline of
 * SuRe; with cited answers, the retriever baselines of LLatrieval). `retrieval.mode` selects search
 * by words, by vectors, or by both.
 */
export const base = defineMethod({
  module: import.meta.url,
  name: 'base',
  title: 'Base: retrieve (BM25, dense or hybrid, by retrieval.mode), then read',
  source:
    'SuRe (Kim et al., ICLR 2024), section 4.1 "Base", appendix A.5; LLatrieval (Li et al., NAACL 2024), section 4.1 "Retriever"',
  options,
  passagesRead: chainPassages,
  searches: ({ passages }) => passages > 0,
  cites: ({ answerForm }) => (answerForm === 'short' ? undefined : answerForm),
  view: (chain: BaseChain, context) => baseView(chain, context),
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 28.4/38.8, WebQ 19.6/32.5, 2Wiki 27.4/32.8, HotpotQA 30.8/40.3; correctness/citation F1, gpt-3.5-turbo-0301, N=5: BM25 ASQA 51.7/45.7, QAMPARI 17.5/23.3, ELI5 11.7/50.9, BGE-large ASQA 55.9/57.5, QAMPARI 17.3/24.0',

  /** Makes one call. With `passages` 0, the model answers from what it knows. */
  async algorithm(asked): Promise<Conclusion<BaseChain>> {
    const { question, options, step } = asked;
    const { passages: count, demonstrations } = options;
    const passages = count === 0 ? [] : await step.retrieve({ query: question, count });

    const found = passages.map(({ id }) => id);
    return readBest(asked, found, { passages }, demonstrations);
  },
});
