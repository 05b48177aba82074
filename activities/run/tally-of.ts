/** What a run is told of an answer. Pure. */

import type { Tally } from '../../core/run/run.js';
import { addUsage, noUsage, type Usage } from '../../core/usage.js';
import { unscoredOf } from '../../evaluation/unscored.js';
import type { RunAnswer } from '../../stores/runs/run-store.js';

/** Usage is the method's alone; the scores include those of the judge, where it has been asked. */
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

/** Returns what a question has taken, with the attempts that its answer has replaced. */
export function usageOfAll({ result, earlier = noUsage }: RunAnswer): Usage {
  return addUsage(earlier, result?.usage ?? noUsage);
}
