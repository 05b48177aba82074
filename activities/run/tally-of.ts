/** The summary of an answer that a run counts. Pure. */

import type { Tally } from '../../core/run/run.js';
import { addUsage, noUsage, type Usage } from '../../core/usage.js';
import { unscoredOf } from '../../evaluation/unscored.js';
import type { RunAnswer } from '../../stores/runs/run-store.js';

/**
 * Returns an answer's summary. Usage is the method's only; the scores include the judge's, if it
 * has been asked.
 */
export function tallyOf(answer: RunAnswer): Tally {
  const { id, result, failure, scores, judgement } = answer;
  const unscored = unscoredOf(answer);
  return {
    id,
    outcome: result?.outcome ?? 'failed',
    scores: { ...scores, ...judgement?.scores },
    ...(Object.keys(unscored).length > 0 && { unscored }),
    usage: result?.usage ?? noUsage,
    ...(result?.build !== undefined && { build: result.build }),
    ...(failure && { failure }),
  };
}

/** Returns the usage of a question, including the attempts that its answer replaced. */
export function usageOfAll({ result, earlier = noUsage }: RunAnswer): Usage {
  return addUsage(earlier, result?.usage ?? noUsage);
}
