import { passagesOf } from '../../../core/passages-read.js';
import { defineMethod } from '../../define-method.js';
import { hydeView } from '../views/searches.js';
import { hyde } from './hyde.js';
import { options } from './options.js';

export const hydeMethod = defineMethod({
  name: 'hyde',
  title: 'HyDE: search with a hypothetical passage, then read',
  source:
    'Gao et al., ACL 2023, as described in LLatrieval (Li et al., NAACL 2024), section 4.1 "Query Rewriting"',
  options,
  algorithm: hyde,
  passagesRead: passagesOf,
  cites: ({ answerForm }) => (answerForm === 'short' ? undefined : answerForm),
  view: hydeView,
  steps: ['hypotheticalPassage', 'read', 'answerWithCitations'],
  callsFormula: '2',
  figures:
    'correctness/citation F1, gpt-3.5-turbo-0301, cited answers, k=5: ASQA 56.8/59.8, QAMPARI 16.2/23.4, ELI5 15.2/66.7',
});
