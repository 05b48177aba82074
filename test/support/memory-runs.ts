/** Runs in memory, as JSON, so that what does not survive it shows. */

import { MemoryStore } from '../../stores/memory-store.js';
import { keyValueRuns } from '../../stores/runs/key-value-runs.js';
import type { RunStore } from '../../stores/runs/run-store.js';

export const memoryRuns = (): RunStore => keyValueRuns(new MemoryStore());
