/** Adaptive-RAG (Jeong et al., NAACL 2024), with a prompted classifier. */

import type { Conclusion } from '../../core/result.js';
import type { View } from '../../core/view.js';
import type { PassageRef } from '../../core/vocabulary.js';
import { chip, section } from '../../report/views/section-parts.js';
import type { QuestionClass } from '../../steps/queries.js';
import { defineMethod } from '../define-method.js';
import { type BaseChain, base } from './base.js';
import { noRetrieval } from './baselines/no-retrieval.js';
import { type IrcotChain, ircot } from './ircot.js';
import { optionsOf } from './options.js';

const options = optionsOf(
  {
    noRetrieval: noRetrieval.options.prefault({}).describe('for a question that needs no search'),
    base: base.options.prefault({}).describe('for a question that one search answers'),
    ircot: ircot.options.prefault({}).describe('for a question that takes several searches'),
  },
  {
    refused: {
      base: ({ base: { answerForm } }) =>
        answerForm !== 'short' &&
        'must answer in the form of the other methods: leave answerForm out',
    },
  },
);

/**
 * The chain of `adaptiveRag`: the class of the question ('none', 'single' or 'multi', by the
 * number of searches that it needs), the name of the method that answered it, and that method's
 * chain.
 */
export type AdaptiveRagChain =
  | { class: 'none'; method: 'noRetrieval'; chain: BaseChain }
  | { class: 'single'; method: 'base'; chain: BaseChain }
  | { class: 'multi'; method: 'ircot'; chain: IrcotChain };

const TAKEN: Record<QuestionClass, string> = {
  none: 'needs no search',
  single: 'one search',
  multi: 'several searches',
};

/**
 * The method `adaptiveRag`: classifies the question and answers it without a search, with one, or
 * with several ("Learning to Adapt Retrieval-Augmented Large Language Models through Question
 * Complexity").
 */
export const adaptiveRag = defineMethod({
  module: import.meta.url,
  name: 'adaptiveRag',
  title: 'Adaptive-RAG: no search, one, or several, by the class of the question',
  source:
    'Adaptive-RAG (Jeong et al., NAACL 2024), with a prompt in place of the trained classifier',
  options,
  facts: { mostSearches: ({ ircot: { maxThoughts } }) => maxThoughts + 1 },
  passagesRead: ({ chain }: AdaptiveRagChain): readonly PassageRef[] => chain.passages,
  view(chain: AdaptiveRagChain, context) {
    const { view } = { noRetrieval, base, ircot }[chain.method];
    const item = { title: TAKEN[chain.class], chips: [chip(chain.method)], blocks: [] };
    return [
      ...section('Class of the question', [{ type: 'cards', items: [item] }]),
      ...((view as View<BaseChain | IrcotChain>)(chain.chain, context) ?? []),
    ];
  },
  figures: 'with a trained classifier: none stands beside a prompted one',

  /** Classifies the question and answers it by the method for its class. */
  async algorithm(asked): Promise<Conclusion<AdaptiveRagChain>> {
    const { question, options, step } = asked;
    switch (await step.classifyQuestion({ question })) {
      case 'none': {
        const end = await asked.run(noRetrieval, options.noRetrieval);
        return { ...end, chain: { class: 'none', method: 'noRetrieval', chain: end.chain } };
      }
      case 'single': {
        const end = await asked.run(base, options.base);
        return { ...end, chain: { class: 'single', method: 'base', chain: end.chain } };
      }
      case 'multi': {
        const end = await asked.run(ircot, options.ircot);
        return { ...end, chain: { class: 'multi', method: 'ircot', chain: end.chain } };
      }
    }
  },
});
