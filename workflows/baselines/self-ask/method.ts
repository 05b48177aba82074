import { passagesOf } from '../../../core/passages-read.js';
import { defineMethod } from '../../define-method.js';
import { selfAskView } from '../views/follow-ups.js';
import { options, type SelfAskChain } from './options.js';
import { selfAsk } from './self-ask.js';

export const selfAskMethod = defineMethod({
  name: 'selfAsk',
  title: 'Self-ask: follow-up questions with intermediate answers',
  source:
    'Press et al., 2022, as a baseline of ALLIES (Sun et al., Findings of EMNLP 2023), section 5.3, tables 1 and 4',
  options,
  algorithm: selfAsk,
  passagesRead: ({ followUps }: SelfAskChain) => followUps.flatMap(passagesOf),
  searches: ({ passages }) => passages > 0,
  view: selfAskView,
  steps: ['followUp', 'read', 'selfAsk'],
  callsFormula: '2 for each follow-up + 1, at most 2M + 1; 1 without retrieval',
  figures:
    'with passages 0, the form of ALLIES (table 4: 1 call, no retrieval), EM/F1, GPT-3.5-turbo: NQ 26.4/36.5, TriviaQA 59.4/68.5, WebQ 15.1/29.5; with retrieval ALLIES reports none',
});
