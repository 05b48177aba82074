/** Runs in memory, as JSON, so that what does not survive it shows. */
import type { RunStore } from '../../results/run-store.js';
import { storeRuns } from '../../results/store-runs.js';
import { MemoryStore } from '../../stores/memory-store.js';

export const memoryRuns = (): RunStore => storeRuns(new MemoryStore());
