import { passagesOf } from '../../core/passages-read.js';
import { defineMethod } from '../define-method.js';
import { iterRetgen } from './iter-retgen.js';
import { options } from './options.js';
import { iterRetgenView } from './view.js';

/** "Enhancing Retrieval-Augmented Large Language Models with Iterative Retrieval-Generation Synergy". */
export const iterRetgenMethod = defineMethod({
  name: 'iterRetgen',
  title: 'ITER-RETGEN: each output, with the question, is the next query',
  source: 'ITER-RETGEN (Shao et al., Findings of EMNLP 2023)',
  options,
  algorithm: iterRetgen,
  passagesRead: passagesOf,
  view: iterRetgenView,
  steps: ['thinkAndAnswer'],
  callsFormula: 'T, which is 2 by default; as many searches',
  figures: 'few-shot, with models no longer served: none stands beside the zero-shot form',
});
