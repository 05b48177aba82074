/** What a program imports to read runs: `import { openResults, writeReport } from 'durable-rag/report'`. */

import type { RunSource } from '../evaluation/runs/run-source.js';
import { methodRegistry } from '../interpreters/methods.js';
import {
  type ReportOptions as Options,
  type Written,
  writeReport as write,
} from '../report/write-report.js';
import type { OwnMethod } from '../workflows/define-method.js';

export type { StudyCells } from '../core/study/cell.js';
export { comparisonText } from '../evaluation/runs/comparison-text.js';
export { evaluateRuns, type RunsEvaluation } from '../evaluation/runs/evaluate-runs.js';
export { exportRun } from '../evaluation/runs/export-line.js';
export { openRuns, type RunSource } from '../evaluation/runs/run-source.js';
export { type Decision, type DecisionRule, decide } from '../evaluation/statistics/decide.js';
export {
  decidableMargin,
  type Gate,
  type GateRule,
  gate,
  scoreGate,
} from '../evaluation/statistics/gate.js';
export {
  type LongLine,
  longCsv,
  longHeader,
  longLines,
  longMetrics,
} from '../evaluation/study/long-form.js';
export {
  renderTable,
  TABLE_FORMATS,
  type TableFormat,
} from '../evaluation/study/render-table.js';
export {
  runsOf,
  type StudyScores,
  studyScores,
} from '../evaluation/study/study-scores.js';
export { type Shown, type StudyTable, studyTable } from '../evaluation/study/study-table.js';
export { writeAtomically } from '../stores/runs/atomic-file.js';
export type { RunAnswer, RunManifest, RunStore } from '../stores/runs/run-store.js';
export {
  type ExplainOptions,
  type Explanation,
  explainRun,
  type LeftOut,
  type PerfectStep,
} from './explain.js';
export {
  type Datasets,
  openDatasets,
  type PutOptions,
  type StoredDataset,
} from './open-datasets.js';
export { openResults, type Results } from './open-results.js';
export { type RescoreOptions, type Rescoring, rescoreRun, type Wanted } from './rescore.js';
export { type TrainingSummary, writeTrainingData } from './training-data.js';

export interface ReportOptions extends Omit<Options, 'isServed' | 'methods'> {
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
): Promise<Written> {
  return write(runs, { ...options, methods: methodRegistry(methods) });
}
