/** No retrieval: options. Pure. */
import { z } from 'zod';
import type { BaseChain } from '../base.js';
import type { Method } from '../method.js';
import { demonstrations } from '../options/options.js';

const options = z.strictObject({ demonstrations });

export type NoRetrievalOptions = z.output<typeof options>;

/** As base, with no passages. */
export type NoRetrievalChain = BaseChain;

/** The model answers from what it knows: base with N = 0, under a name of its own. */
export const noRetrievalMethod: Method<NoRetrievalOptions> = {
  name: 'noRetrieval',
  title: 'No retrieval: answer from what the model knows',
  source: 'SuRe (Kim et al., ICLR 2024), section 4.1 "No retrieval", appendix A.5',
  options,
  steps: ['read'],
  memoryOnly: true,
  callsFormula: '1',
  calls: () => 1,
  plan: (chosen, { question }) => [{ step: 'read', input: { question, passages: [], ...chosen } }],
  figures: 'EM/F1, ChatGPT: NQ 27.6/39.0, WebQ 25.0/38.8, 2Wiki 21.4/24.8, HotpotQA 22.2/31.9',
};
