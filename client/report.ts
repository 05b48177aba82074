/** What a program imports to read runs: `import { openResults, writeReport } from 'durable-rag/report'`. */

import type { OwnMetric } from '../core/metric.js';
import { metricRegistry } from '../evaluation/metrics/registry.js';
import type { RunSource } from '../evaluation/runs/run-source.js';
import {
  type ReportOptions as Options,
  type Written,
  writeReport as write,
} from '../report/write-report.js';
import type { ModelStep } from '../steps/define.js';
import type { OwnMethod } from '../workflows/define-method.js';
import { methodRegistry } from '../workflows/methods.js';
import { type ExplainPorts, type Explanation, explainRun as explain } from './explain.js';
import { type RescorePorts, type Rescoring, rescoring, type Wanted } from './rescore.js';

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
export { type LongLine, longCsv, longHeader, longLines } from '../evaluation/study/long-form.js';
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
export type { Explanation, LeftOut, PerfectStep } from './explain.js';
export {
  type Datasets,
  openDatasets,
  type PutOptions,
  type StoredDataset,
} from './open-datasets.js';
export { openResults, type Results } from './open-results.js';
export type { Rescoring, Wanted } from './rescore.js';
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

interface Own {
  methods?: readonly OwnMethod<unknown>[];
  metrics?: readonly OwnMetric[];
}

export interface ExplainOptions extends Own, Pick<ExplainPorts, 'runs' | 'texts'> {
  // biome-ignore lint/suspicious/noExplicitAny: an input is only known to the step itself
  steps?: readonly ModelStep<any, any>[];
  /** By step the name of a fork with its perfect outputs, which tells what needs calls. */
  perfectForks?: Readonly<Record<string, string>>;
}

/**
 * Tells where the wrong answers of a kept run were lost, and what perfect steps would be worth,
 * without any call.
 *
 * @throws Failure UnknownRun; BadInput for a method that declares no algorithm.
 * @example
 * const { lost, steps } = await explainRun('nq-sure', await openResults());
 */
export function explainRun(
  run: string,
  { runs, texts, methods, metrics, steps = [], perfectForks }: ExplainOptions,
): Promise<Explanation> {
  const known = { methods: methodRegistry(methods), metrics: metricRegistry(metrics) };
  const named = Object.fromEntries(steps.map((step) => [step.name, step]));
  return explain(run, { runs, texts, ...known, steps: named }, perfectForks);
}

export interface RescoreOptions extends Own, Pick<RescorePorts, 'runs' | 'texts' | 'datasets'> {}

/**
 * Scores the answers of a kept run again, and changes nothing until `write` is called. Nothing is
 * asked: where `toJudge` counts answers, start the run again with `onlyJudge`.
 *
 * @throws Failure UnknownRun; BadInput for metrics or questions that are not there.
 * @example
 * const { before, after, write } = await rescoreRun('nq-sure', {}, { ...results, datasets });
 */
export function rescoreRun(
  run: string,
  wanted: Wanted,
  { runs, texts, datasets, methods, metrics }: RescoreOptions,
): Promise<Rescoring> {
  const known = { methods: methodRegistry(methods), metrics: metricRegistry(metrics) };
  return rescoring(run, wanted, { runs, texts, datasets, ...known });
}
