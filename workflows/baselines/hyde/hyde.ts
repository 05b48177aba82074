/** HyDE as a workflow (LLatrieval, section 4.1; Gao et al., ACL 2023). */

import type { AlgorithmOf } from '../../define-method.js';
import { readBest } from '../read-best.js';
import type { hydeMethod } from './method.js';

/** Writes a passage that might answer the question, searches with it, and reads what it finds. */
export const hyde: AlgorithmOf<typeof hydeMethod> = async (asked) => {
  const { question, options, step } = asked;
  const hypothesis = await step.hypotheticalPassage({ question });
  const query = hypothesis ?? question;
  const passages = await step.retrieve({ query, count: options.passages });

  const best = passages.map(({ id }) => id);
  return readBest(asked, best, { hypothesis, passages });
};
