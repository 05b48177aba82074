/**
 * Entry point for reading runs: `import { openResults, writeReport } from 'durable-rag/report'`.
 */

import type { RunSource } from '../evaluation/runs/run-source.js';
import { methodRegistry } from '../interpreters/methods.js';
import { type ReportOptions as Options, writeReport as write } from '../report/write-report.js';
import { writeAtomically } from '../stores/runs/atomic-file.js';
import type { OwnMethod } from '../workflows/define-method.js';

export type { StudyCells } from '../core/study/cell.js';
export { comparisonText } from '../evaluation/runs/comparison-text.js';
export { evaluateRuns, type RunsEvaluation } from '../evaluation/runs/evaluate-runs.js';
export { exportRun } from '../evaluation/runs/export-line.js';
export { openRuns, type RunSource } from '../evaluation/runs/run-source.js';
export { type Correlation, correlation } from '../evaluation/statistics/between-metrics.js';
export { type Decision, type DecisionRule, decide } from '../evaluation/statistics/decide.js';
export { type Gate, type GateRule, gate } from '../evaluation/statistics/gate.js';
export { renderTable, type TableFormat } from '../evaluation/study/render-table.js';
export {
  runsOf,
  type StudyScores,
  studyScores,
} from '../evaluation/study/study-scores.js';
export { type StudyTable, studyTable, type TableContent } from '../evaluation/study/study-table.js';
export type { RunAnswer, RunManifest, RunStore } from '../stores/runs/run-store.js';
export type { CheckedCounts, RunDifference } from './answer-checks.js';
export {
  type ExplainOptions,
  type Explanation,
  explainRun,
  type LeftOut,
  type PerfectStep,
} from './explain.js';
export {
  importPredictions,
  type PredictionsInput,
  type PredictionsOptions,
} from './import-predictions.js';
export {
  type Datasets,
  openDatasets,
  type PutOptions,
  type StoredDataset,
} from './open-datasets.js';
export { openResults, type Results } from './open-results.js';
export { type RescoreOptions, type Rescoring, rescoreRun, type ScoringChanges } from './rescore.js';
export { type TrainingSummary, writeTrainingData } from './training-data.js';
export {
  type Verification,
  type VerifyOptions,
  verifyFile,
  verifyRun,
} from './verify.js';

/**
 * Options of `writeReport`: the path of the file, the stores that the report reads, and custom
 * methods.
 */
export interface ReportOptions extends Omit<Options, 'isServed' | 'methods' | 'write'> {
  /** Path of the report. An existing file is replaced when the new one is complete. */
  file: string;
  /** Custom methods. */
  methods?: readonly OwnMethod<unknown>[];
}

/**
 * Writes the report of one or more runs to a file: one HTML page without external parts.
 * @example
 * await writeReport(runs, { texts, file: 'report.html' });
 */
export async function writeReport(
  runs: readonly RunSource[],
  { file, methods, ...options }: ReportOptions,
): Promise<void> {
  const registry = methodRegistry(methods);
  await writeAtomically(file, (piece) =>
    write(runs, { ...options, write: piece, methods: registry }),
  );
}
