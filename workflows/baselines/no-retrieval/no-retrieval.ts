/** No retrieval as a workflow: base with N = 0 (SuRe, section 4.1 and appendix A.5). */

import { concluded } from '../../../core/result.js';
import type { Algorithm } from '../../algorithm.js';
import type { NoRetrievalChain, NoRetrievalOptions } from './method.js';

export const noRetrieval: Algorithm<NoRetrievalOptions, NoRetrievalChain> = async ({
  question,
  options: { demonstrations },
  step,
}) => {
  const reading = await step.read({ question, passages: [], demonstrations });
  const chain: NoRetrievalChain = { passages: [], reading };
  return concluded(reading, [], chain);
};
