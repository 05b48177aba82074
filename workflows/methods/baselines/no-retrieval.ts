/** No retrieval: base with N = 0 (SuRe, section 4.1 and appendix A.5). */

import { z } from 'zod';
import { chainPassages } from '../../../core/passages-read.js';
import { type Conclusion, concluded } from '../../../core/result.js';
import { baseView } from '../../../report/views/section-parts.js';
import { defineMethod } from '../../define-method.js';
import type { BaseChain } from '../base.js';
import { demonstrations } from '../options.js';

const options = z.strictObject({ demonstrations });

export const noRetrieval = defineMethod({
  module: import.meta.url,
  name: 'noRetrieval',
  title: 'No retrieval: answer from what the model knows',
  source: 'SuRe (Kim et al., ICLR 2024), section 4.1 "No retrieval", appendix A.5',
  options,
  passagesRead: chainPassages,
  searches: () => false,
  view: (chain: BaseChain, context) => baseView(chain, context),
  figures: 'EM/F1, ChatGPT: NQ 27.6/39.0, WebQ 25.0/38.8, 2Wiki 21.4/24.8, HotpotQA 22.2/31.9',

  async algorithm(asked): Promise<Conclusion<BaseChain>> {
    const { question, options, step } = asked;
    const reading = await step.read({ question, passages: [], ...options });
    return concluded(reading, [], { passages: [], reading });
  },
});
