/** Writes the answers of a study with one row for each, for a data frame. */

import { scaledValue } from '../../core/metric.js';
import { isSameCell } from '../../core/study/cell-progress.js';
import { NO_USAGE, reportedUsage } from '../../core/usage.js';
import { goldAnswers } from '../gold-answers.js';
import { shownInOrder } from '../runs/metrics.js';
import { outcomeOf } from '../runs/question-state.js';
import { failureOf, secondsOf } from '../runs/run-figures.js';
import { answersOf } from '../runs/run-source.js';
import { csvLine } from './render-table.js';
import type { StudyScores } from './study-scores.js';

/**
 * A row of the long form of a study: the answer to one question in one repeat of a cell, with its
 * costs and scores.
 */
export interface LongFormRow {
  method: string;
  model: string;
  dataset: string;
  /** Number of the repeat, from 1. */
  repeat: number;
  /** Name of the run. */
  run: string;
  /** Id of the question in its data set. */
  id: string;
  question: string;
  /** Accepted answers. */
  answers: readonly string[];
  /** Outcome of the question: answered, unknown, unreadable or failed. */
  outcome: string;
  /** The answer; null unless the outcome is answered. */
  prediction: string | null;
  /** Seconds during which a successful attempt was running; null if unknown. */
  workingSeconds: number | null;
  /** Seconds from the start of the question to its end, waits included; null if unknown. */
  seconds: number | null;
  /** Model calls, cached ones included; null if unknown. */
  calls: number | null;
  /** Model calls whose response came from the cache; null if unknown. */
  cachedCalls: number | null;
  /** Prompt tokens of the paid calls; null if unknown. */
  promptTokens: number | null;
  /** Completion tokens of the paid calls; null if unknown. */
  completionTokens: number | null;
  /** Cost in US dollars; null if a price is unknown. */
  costUsd: number | null;
  /** Type of the failure; null if the question did not fail. */
  failure: string | null;
  /** Step that failed; null if no step did. */
  failureStep: string | null;
  /** Message of the failure; null if the question did not fail. */
  failureMessage: string | null;
  /**
   * Scores by metric: fractions from 0 to 1, or values in the unit of the metric's range; undefined
   * without a score. Metrics of passages have a score only if the question did not fail.
   */
  scores: Record<string, number | undefined>;
  /** Extra fields stored with the question, by name. */
  fields: Record<string, string>;
}

/**
 * Yields one row for each stored answer of a study, cell by cell and repeat by repeat. Holds 64
 * answers in memory.
 */
export async function* longFormRows({
  study,
  cells,
}: Pick<StudyScores, 'cells' | 'study'>): AsyncGenerator<LongFormRow> {
  for (const { method, partOf = method, model, dataset, sources, figures } of cells) {
    const place = study.cells.find((cell) => isSameCell(cell, { method: partOf, model, dataset }));
    for (const [i, source] of sources.entries()) {
      const run = source.partOf ?? source.manifest.run;
      const metrics = figures[i]?.metrics ?? [];
      for await (const { question, answer } of answersOf(source)) {
        const { result } = answer;
        const outcome = outcomeOf(answer);
        const failure = outcome === 'failed' ? failureOf(answer) : undefined;
        const { calls, cachedCalls, promptTokens, completionTokens, costUsd } = reportedUsage(
          result?.usage ?? NO_USAGE,
        );
        yield {
          method,
          model,
          dataset,
          repeat: (place?.runs.indexOf(run) ?? 0) + 1,
          run,
          id: question.id,
          question: question.question,
          answers: goldAnswers(question),
          outcome,
          prediction: result?.answer ?? null,
          workingSeconds: result?.workingSeconds ?? null,
          seconds: secondsOf(answer),
          calls,
          cachedCalls,
          promptTokens,
          completionTokens,
          costUsd,
          failure: failure?.type ?? null,
          failureStep: failure?.step ?? null,
          failureMessage: failure?.message ?? null,
          fields: question.fields ?? {},
          scores: Object.fromEntries(
            metrics.map(({ metric, range, scores }) => {
              const score = scores.get(question.id);
              return [metric, score === undefined ? undefined : scaledValue(score, range)];
            }),
          ),
        };
      }
    }
  }
}

/** Columns before the scores, after which the extra fields follow. */
const FIELDS = [
  'method',
  'model',
  'dataset',
  'repeat',
  'run',
  'id',
  'question',
  'answers',
  'outcome',
  'prediction',
  'workingSeconds',
  'seconds',
  'calls',
  'cachedCalls',
  'promptTokens',
  'completionTokens',
  'costUsd',
  'failure',
  'failureStep',
  'failureMessage',
] as const;

/**
 * Returns the names of the metrics of a study's cells, in the order in which they are shown: the
 * columns of scores in the study's long form, the table with one row for each answer
 * (`LongFormRow`).
 */
export function longFormMetricColumns({ cells }: Pick<StudyScores, 'cells'>): string[] {
  return shownInOrder(cells.flatMap(({ metrics }) => metrics)).map(({ metric }) => metric);
}

/**
 * Returns the names of the extra fields of the questions of a study's cells, sorted: the columns
 * "field.NAME" in the study's long form, the table with one row for each answer (`LongFormRow`).
 */
export function longFormFieldColumns({ cells }: Pick<StudyScores, 'cells'>): string[] {
  return [...new Set(cells.flatMap(({ fields }) => [...(fields ?? [])]))].sort();
}

/**
 * Returns the header line of the CSV file of a study's long form, with its line feed.
 *
 * @param metrics Metrics, each a column after the fixed ones.
 * @param fields Extra fields of questions, each a column "field.NAME" after those.
 */
export function longFormHeader(metrics: readonly string[], fields: readonly string[] = []): string {
  return csvLine([...FIELDS, ...metrics, ...fields.map((field) => `field.${field}`)]);
}

/**
 * Returns a row of a study's long form as an object with the columns of its CSV file; null stands
 * for an empty cell.
 */
export function longFormJson(
  { scores, fields: kept, ...row }: LongFormRow,
  metrics: readonly string[],
  fields: readonly string[],
): object {
  return {
    ...row,
    ...Object.fromEntries(metrics.map((metric) => [metric, scores[metric] ?? null])),
    ...Object.fromEntries(fields.map((field) => [`field.${field}`, kept[field] ?? null])),
  };
}

/**
 * Returns a row of a study's long form as a line of CSV with its line feed, for the header with the
 * same metrics and fields.
 */
export function longFormCsv(
  row: LongFormRow,
  metrics: readonly string[],
  fields: readonly string[] = [],
): string {
  const texts = { ...row, answers: JSON.stringify(row.answers) };
  const fixed = FIELDS.map((field) => texts[field]);
  return csvLine([
    ...fixed,
    ...metrics.map((metric) => row.scores[metric]),
    ...fields.map((field) => row.fields[field]),
  ]);
}
