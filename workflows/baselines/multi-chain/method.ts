import { passagesOf } from '../../../core/passages-read.js';
import { defineMethod } from '../../define-method.js';
import { multiChainView } from '../views/follow-ups.js';
import { multiChain } from './multi-chain.js';
import { type MultiChainChain, options } from './options.js';

export const multiChainMethod = defineMethod({
  name: 'multiChain',
  title:
    'Multi-chain reasoning (MCR): several self-ask chains, then reasoning over what all of them found',
  source:
    'Yoran et al., 2023, as a baseline of ALLIES (Sun et al., Findings of EMNLP 2023), section 5.3, tables 1 and 4',
  options,
  algorithm: multiChain,
  passagesRead: ({ chains }: MultiChainChain) =>
    chains.flatMap(({ followUps }) => followUps.flatMap(passagesOf)),
  searches: ({ passages }) => passages > 0,
  view: multiChainView,
  steps: ['followUp', 'read', 'selfAsk', 'metaReason'],
  callsFormula: 'at most C(2M + 1) + 1; C + 1 without retrieval',
  figures:
    'with retrieval, the form of ALLIES (table 4: 12 calls, 12 retrievals a question), EM/F1, GPT-3.5-turbo: NQ 27.1/35.7; with passages 0 ALLIES reports none',
});
