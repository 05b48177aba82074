/** No retrieval as a workflow: base with N = 0 (SuRe, section 4.1 and appendix A.5). */

import { concluded } from '../../../core/result.js';
import type { AlgorithmOf } from '../../define-method.js';
import type { noRetrievalMethod } from './method.js';

export const noRetrieval: AlgorithmOf<typeof noRetrievalMethod> = async (asked) => {
  const { question, options, step } = asked;
  const reading = await step.read({ question, passages: [], ...options });
  return concluded(reading, [], { passages: [], reading });
};
