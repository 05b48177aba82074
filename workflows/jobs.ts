/** The workflows that are not methods, by their type names. */
import type { RunInput } from '../core/run/input.js';
import type { IdentifiedRun } from './activities/run.js';
import { lookAtRun } from './run/activities.js';

export { genreadClusters } from './genread-clusters.js';
export { judgeAnswer } from './judge-answer.js';
export { collectBatches } from './provider-batches/collect-batches.js';
export { queueLimits } from './queue/keep-limits.js';
export { evaluateRun } from './run/evaluate-run.js';
export { evaluateRunShard } from './run/evaluate-run-shard.js';
export { evaluateStudy } from './study/evaluate-study.js';
export { proposePrompts } from './study/propose-prompts.js';

/**
 * The workflow that returns a hash of the data that a run would use, and its differences from the
 * existing run of its name. With `acceptChange` it records them in that run's manifest instead, and
 * returns none. It is a workflow because only the workers can read the files of a run.
 */
export async function identifyRun(input: RunInput): Promise<IdentifiedRun> {
  return lookAtRun(input);
}
