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
 * Returns a hash of the data that a run would be asked with, and its differences from the existing
 * run of its name. A workflow, since only the workers have the files of a run.
 */
export async function identifyRun(input: RunInput): Promise<IdentifiedRun> {
  return lookAtRun(input);
}
