/** Selection-inference as a workflow (SuRe, section 4.1; Creswell et al., ICLR 2023). */

import { answered, concluded } from '../../../core/result.js';
import type { AlgorithmOf } from '../../define-method.js';
import type { selectionInferenceMethod } from './method.js';

/**
 * Ranks the passages, then tries to answer from the first, the first two, and so on. Once all of
 * them are read an answer is asked for as base does, without the way out.
 */
export const selectionInference: AlgorithmOf<typeof selectionInferenceMethod> = async (asked) => {
  const { question, options, step } = asked;
  const retrieved = await step.retrieve({ query: question, count: options.passages });
  const passages = retrieved.map(({ id }) => id);
  const ranking = passages.length < 2 ? [0] : await step.rankPassages({ question, passages });
  const order = ranking.flatMap((position) => passages[position] ?? []);

  const readings: (string | null)[] = [];
  const chain = { passages: retrieved, order, readings };
  for (let read = 1; read < order.length; read++) {
    const evidence = order.slice(0, read);
    const reading = await step.infer({ question, passages: evidence });
    readings.push(reading);
    if (reading !== null) return answered(reading, evidence, chain);
  }
  const last = await step.read({ question, passages: order, demonstrations: [] });
  readings.push(last);
  return concluded(last, order, chain);
};
