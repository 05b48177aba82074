import { z } from 'zod';
import { baseView } from '../../../report/views/parts.js';
import type { BaseChain } from '../../base/method.js';
import { defineMethod } from '../../define-method.js';
import { demonstrations } from '../../options.js';

export const noRetrievalMethod = defineMethod({
  name: 'noRetrieval',
  title: 'No retrieval: answer from what the model knows',
  source: 'SuRe (Kim et al., ICLR 2024), section 4.1 "No retrieval", appendix A.5',
  options: z.strictObject({ demonstrations }),
  searches: () => false,
  view: (chain: BaseChain, context) => baseView(chain, context),
  steps: ['read'],
  callsFormula: '1',
  figures: 'EM/F1, ChatGPT: NQ 27.6/39.0, WebQ 25.0/38.8, 2Wiki 21.4/24.8, HotpotQA 22.2/31.9',
});
