import { passagesOf } from '../../../core/passages-read.js';
import { defineMethod } from '../../define-method.js';
import { ensembleView } from '../views/readers.js';
import { options } from './options.js';
import { replug } from './replug.js';

export const replugMethod = defineMethod({
  name: 'replug',
  title: 'RePlug: answers of the passages, weighted by similarity or retrieval score',
  source: 'Shi et al., 2023, as described in SuRe (Kim et al., ICLR 2024), section 4.1 "RePlug"',
  options,
  algorithm: replug,
  passagesRead: passagesOf,
  view: ensembleView,
  steps: ['readPassage'],
  callsFormula: 'N, and 1 for the embeddings where they weigh',
  figures:
    'EM/F1, ChatGPT + BM25, N=10, weights from Contriever: NQ 26.0/35.3, WebQ 18.8/31.5, 2Wiki 23.6/28.5, HotpotQA 28.0/37.9',
});
