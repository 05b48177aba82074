import { passagesOf } from '../../core/passages-read.js';
import { defineMethod } from '../define-method.js';
import { allies } from './allies.js';
import { type AlliesChain, options } from './options.js';
import { alliesView } from './view.js';

export const alliesMethod = defineMethod({
  name: 'allies',
  title: 'ALLIES: beam search over sub-queries',
  source: 'ALLIES (Sun et al., Findings of EMNLP 2023), section 4, algorithm 1',
  options,
  algorithm: allies,
  // Every sub-query of a history may be the longest of its request.
  bound: (chosen) => chosen,
  passagesRead: ({ states }: AlliesChain) => states.flatMap(passagesOf),
  searches: ({ evidence }) => evidence === 'retrieved',
  view: alliesView,
  steps: [
    'answerWithEvidence',
    'scoreAnswer',
    'askSubQueries',
    'condenseEvidence',
    'generateDocument',
  ],
  callsFormula:
    '5 + W(1 + 3K) for each depth, where W is 2 at depth 1 and then the states kept, at most B: at most 33 by default, 19 when depth 1 reaches S, as it always does for S = 0; without evidence 4 + W(1 + 2K); searches: 1 + W·K for each depth, only when evidence is retrieved',
  figures:
    'EM/F1, GPT-3.5-turbo: NQ 38.0/47.8 (K=2 B=2 D=2 N=2), TriviaQA 61.4/70.8 (generated, K=2 B=3 D=1), WebQ 28.2/45.6 (generated, K=3 B=3 D=2); without evidence NQ 22.4/34.5, WebQ 19.8/36.5',
});
