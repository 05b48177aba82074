import type { RunInput } from '../core/run/input.js';
import type { IdentifiedRun } from './activities/run.js';
import { lookAtRun } from './run/activities.js';

/** Identifies a run where the workers are, which have its files. */
export async function identifyRun(input: RunInput): Promise<IdentifiedRun> {
  return lookAtRun(input);
}
