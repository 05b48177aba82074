import type { RunInput } from '../core/run/input.js';
import type { IdentifiedRun } from './activities/run.js';
import { lookAtRun } from './run/activities.js';

/** Identifies a run on the workers, which have its files. */
export async function identifyRun(input: RunInput): Promise<IdentifiedRun> {
  return lookAtRun(input);
}
