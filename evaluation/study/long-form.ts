/** The answers of a study, a line each, for a data frame. */
import type { StudyCells } from '../../core/study/cell.js';
import { outcomeOf } from '../runs/question-state.js';
import { secondsOf } from '../runs/run-figures.js';
import { answersOf } from '../runs/run-source.js';
import { countedScore } from '../score-summary.js';
import { csvLine } from './render-table.js';
import type { OpenRun } from './study-scores.js';

/** One answer of one repeat, with its scores by metric. */
export interface LongLine {
  method: string;
  model: string;
  dataset: string;
  /** From 1. */
  repeat: number;
  run: string;
  question: string;
  outcome: string;
  seconds: number;
  calls: number;
  /** US dollars; null where a price is not known. */
  costUsd: number | null;
  scores: Record<string, number>;
}

/** Every answer there is, cell by cell and repeat by repeat; holds a page of them at a time. */
export async function* longLines(study: StudyCells, open: OpenRun): AsyncGenerator<LongLine> {
  for (const { method, model, dataset, runs } of study.cells) {
    for (const [i, run] of runs.entries()) {
      const source = await open(run);
      if (!source) continue;
      for await (const { question, answer } of answersOf(source)) {
        const { usage } = answer.result ?? {};
        const outcome = outcomeOf(answer);
        yield {
          ...{ method, model, dataset, repeat: i + 1, run, question: question.id },
          ...{ outcome, seconds: secondsOf(answer) },
          ...{ calls: usage?.calls ?? 0, costUsd: usage ? usage.costUsd : 0 },
          scores: Object.fromEntries(
            Object.entries({ ...answer.scores, ...answer.judgement?.scores }).map(
              ([metric, score]) => [metric, countedScore({ outcome, score })],
            ),
          ),
        };
      }
    }
  }
}

const FIELDS = [
  ...['method', 'model', 'dataset', 'repeat', 'run', 'question', 'outcome', 'seconds', 'calls'],
  'costUsd',
] as const;

/** @param metrics The columns behind the others, in their order. */
export function longHeader(metrics: readonly string[]): string {
  return csvLine([...FIELDS, ...metrics]);
}

/** A line of CSV under the header of the same metrics. */
export function longCsv(line: LongLine, metrics: readonly string[]): string {
  const fixed = FIELDS.map((field) => line[field]);
  return csvLine([...fixed, ...metrics.map((metric) => line.scores[metric])]);
}
