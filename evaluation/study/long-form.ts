/** The answers of a study, a line each, for a data frame. */

import { valueFrom } from '../../core/metric.js';
import { isSameCell } from '../../core/study/cells.js';
import { noUsage, toldUsage } from '../../core/usage.js';
import { goldAnswers } from '../gold-answers.js';
import { shownInOrder } from '../runs/metrics.js';
import { outcomeOf } from '../runs/question-state.js';
import { failureOf, secondsOf } from '../runs/run-figures.js';
import { answersOf } from '../runs/run-source.js';
import { csvLine } from './render-table.js';
import type { StudyScores } from './study-scores.js';

/** One answer of one repeat, with its scores by metric. */
export interface LongLine {
  method: string;
  model: string;
  dataset: string;
  /** Number of the repeat, from 1. */
  repeat: number;
  run: string;
  /** Id of the question in its data set. */
  id: string;
  question: string;
  answers: readonly string[];
  outcome: string;
  /** The answer; null unless the outcome is answered. */
  prediction: string | null;
  /** Seconds during which a successful attempt was running; null if unknown. */
  workingSeconds: number | null;
  /** Seconds from the beginning of the question to its end, waits included; null if unknown. */
  seconds: number | null;
  calls: number | null;
  cachedCalls: number | null;
  /** Prompt tokens of the paid calls; null if unknown. */
  promptTokens: number | null;
  completionTokens: number | null;
  /** US dollars; null if a price is not known. */
  costUsd: number | null;
  /** Why it failed; null if it did not. */
  failure: string | null;
  failureStep: string | null;
  failureMessage: string | null;
  /** Scores as the tables count them; of passages only for questions that did not fail. */
  scores: Record<string, number | undefined>;
  /** Extra fields stored with the question. */
  fields: Record<string, string>;
}

/** Reads every answer there is, cell by cell and repeat by repeat; holds a page of them at a time. */
export async function* longLines({
  study,
  cells,
}: Pick<StudyScores, 'cells' | 'study'>): AsyncGenerator<LongLine> {
  for (const { method, partOf = method, model, dataset, sources, figures } of cells) {
    const place = study.cells.find((cell) => isSameCell(cell, { method: partOf, model, dataset }));
    for (const [i, source] of sources.entries()) {
      const run = source.partOf ?? source.manifest.run;
      const metrics = figures[i]?.metrics ?? [];
      for await (const { question, answer } of answersOf(source)) {
        const { result } = answer;
        const outcome = outcomeOf(answer);
        const failure = outcome === 'failed' ? failureOf(answer) : undefined;
        const { calls, cachedCalls, promptTokens, completionTokens, costUsd } = toldUsage(
          result?.usage ?? noUsage,
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
              return [metric, score === undefined ? undefined : valueFrom(score, range)];
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

/** Returns the metrics that a line can have a score in, in the order shown. */
export function longMetrics({ cells }: Pick<StudyScores, 'cells'>): string[] {
  return shownInOrder(cells.flatMap(({ metrics }) => metrics)).map(({ metric }) => metric);
}

/** Returns the names of extra fields that a line can have, sorted. */
export function longFields({ cells }: Pick<StudyScores, 'cells'>): string[] {
  return [...new Set(cells.flatMap(({ fields }) => [...(fields ?? [])]))].sort();
}

/**
 * Returns the header line.
 *
 * @param metrics Columns after the fixed ones, in their order.
 * @param fields Extra fields of questions, each a column "field.NAME" after those.
 */
export function longHeader(metrics: readonly string[], fields: readonly string[] = []): string {
  return csvLine([...FIELDS, ...metrics, ...fields.map((field) => `field.${field}`)]);
}

/** Returns an answer as an object with the same columns; null replaces empty CSV cells. */
export function longJson(
  { scores, fields: kept, ...line }: LongLine,
  metrics: readonly string[],
  fields: readonly string[],
): object {
  return {
    ...line,
    ...Object.fromEntries(metrics.map((metric) => [metric, scores[metric] ?? null])),
    ...Object.fromEntries(fields.map((field) => [`field.${field}`, kept[field] ?? null])),
  };
}

/** Returns a line of CSV under the header of the same metrics and fields. */
export function longCsv(
  line: LongLine,
  metrics: readonly string[],
  fields: readonly string[] = [],
): string {
  const texts = { ...line, answers: JSON.stringify(line.answers) };
  const fixed = FIELDS.map((field) => texts[field]);
  return csvLine([
    ...fixed,
    ...metrics.map((metric) => line.scores[metric]),
    ...fields.map((field) => line.fields[field]),
  ]);
}
