/** The runs that the command line reads, where the workers keep them. */
import { fileRuns } from '../../../results/file-runs.js';
import type { RunStore } from '../../../results/run-store.js';
import { readConfig } from '../../../workers/config.js';

export function openRunStore(env: NodeJS.ProcessEnv): RunStore {
  return fileRuns(readConfig(env).results);
}
