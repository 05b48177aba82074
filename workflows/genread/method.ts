import { passagesOf } from '../../core/passages-read.js';
import { defineMethod } from '../define-method.js';
import { genread } from './genread.js';
import { type GenreadChain, options } from './options.js';
import { genreadView } from './view.js';

/** "Generate rather than Retrieve: Large Language Models are Strong Context Generators". */
export const genreadMethod = defineMethod({
  name: 'genread',
  title: 'GenRead: generate documents, then read them',
  source: 'GenRead (Yu et al., ICLR 2023), section 3',
  options,
  algorithm: genread,
  passagesRead: passagesOf,
  documentsRead: ({ documents }: GenreadChain) => documents.map(({ text }) => text),
  searches: ({ passages }) => passages > 0,
  view: genreadView,
  steps: ['generateDocument', 'readBackground', 'checkClaim', 'reply'],
  callsFormula: 'documents + 1: 2 for zeroShot, else 11 by default',
  figures:
    'EM, InstructGPT, zero-shot: NQ 28.0, TriviaQA 59.0, WebQ 24.6 (no documents: 20.9, 57.5, 18.6); accuracy FEVER 80.4, FM2 65.5; F1/R-L WoW 15.8/14.2; Recall@10 clustered: TriviaQA 82.9, WebQ 73.3, NQ 70.9',
});
