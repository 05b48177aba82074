import { passagesOf } from '../../../core/passages-read.js';
import { defineMethod } from '../../define-method.js';
import { chainOfThoughtView } from '../views/readers.js';
import { chainOfThought } from './chain-of-thought.js';
import { options } from './options.js';

export const chainOfThoughtMethod = defineMethod({
  name: 'chainOfThought',
  title: 'Zero-shot chain of thought',
  source:
    'Kojima et al., NeurIPS 2022, as described in SuRe (Kim et al., ICLR 2024), section 4.1 "Chain-of-thoughts"',
  options,
  algorithm: chainOfThought,
  passagesRead: passagesOf,
  searches: ({ passages }) => passages > 0,
  view: chainOfThoughtView,
  steps: ['reason'],
  callsFormula: '1',
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 22.3/31.4, WebQ 15.2/27.8, 2Wiki 19.6/22.5, HotpotQA 25.6/31.8',
});
