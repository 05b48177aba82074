import { passagesOf } from '../../../core/passages-read.js';
import { defineMethod } from '../../define-method.js';
import { lamerView } from '../views/searches.js';
import { lamer } from './lamer.js';
import { options } from './options.js';

export const lamerMethod = defineMethod({
  name: 'lamer',
  title: 'LAMER: search with passages written from what the question finds, merge, then read',
  source:
    'Shen et al., 2023, as described in LLatrieval (Li et al., NAACL 2024), section 4.1 "Query Rewriting"',
  options,
  algorithm: lamer,
  passagesRead: passagesOf,
  cites: ({ answerForm }) => (answerForm === 'short' ? undefined : answerForm),
  view: lamerView,
  steps: ['hypotheticalPassage', 'askSubQueries', 'read', 'answerWithCitations'],
  callsFormula: 'Q + 1; 2 with sub-questions',
  figures:
    'with queries 1, the form of LLatrieval (4.1), correctness/citation F1, gpt-3.5-turbo-0301, cited answers, BGE-large, k=5: ASQA 55.3/59.6, QAMPARI 19.0/26.4, ELI5 14.4/66.5',
});
