/** What a program imports to read runs: `import { openResults, writeReport } from 'durable-rag/report'`. */
export { type ReportOptions, writeReport } from '../evaluation/report/write-report.js';
export { comparisonText } from '../evaluation/runs/comparison-text.js';
export { evaluateRuns, type RunsEvaluation } from '../evaluation/runs/evaluate-runs.js';
export { exportRun } from '../evaluation/runs/export-line.js';
export { openRuns, type RunSource } from '../evaluation/runs/run-source.js';
export { writeAtomically } from '../results/atomic-file.js';
export type { RunAnswer, RunManifest, RunStore } from '../results/run-store.js';
export { openResults, type Results } from './open-results.js';
export { type TrainingSummary, writeTrainingData } from './training-data.js';
