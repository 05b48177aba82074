/** What a program imports to read runs: `import { openResults, writeReport } from 'durable-rag/report'`. */

import type { RunSource } from '../evaluation/runs/run-source.js';
import { type ReportOptions as Options, writeReport as write } from '../report/write-report.js';
import type { OwnMethod } from '../workflows/define-method.js';
import { methodRegistry } from '../workflows/methods.js';

export { comparisonText } from '../evaluation/runs/comparison-text.js';
export { evaluateRuns, type RunsEvaluation } from '../evaluation/runs/evaluate-runs.js';
export { exportRun } from '../evaluation/runs/export-line.js';
export { openRuns, type RunSource } from '../evaluation/runs/run-source.js';
export { writeAtomically } from '../stores/runs/atomic-file.js';
export type { RunAnswer, RunManifest, RunStore } from '../stores/runs/run-store.js';
export {
  type Datasets,
  openDatasets,
  type PutOptions,
  type StoredDataset,
} from './open-datasets.js';
export { openResults, type Results } from './open-results.js';
export { type TrainingSummary, writeTrainingData } from './training-data.js';

/** What a report is written with. */
export interface ReportOptions extends Omit<Options, 'methods'> {
  /** Methods of your own, beside those that ship. */
  methods?: readonly OwnMethod<unknown>[];
}

/**
 * Writes the report of one or more runs: one HTML file that needs nothing else.
 *
 * @example
 * await writeAtomically('report.html', (write) => writeReport(runs, { texts, write }));
 */
export function writeReport(
  runs: readonly RunSource[],
  { methods, ...options }: ReportOptions,
): Promise<void> {
  return write(runs, { ...options, methods: methodRegistry(methods) });
}
