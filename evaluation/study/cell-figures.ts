/**
 * Computes the figures of one cell of a study over all its repeats. Repeats of a question are one
 * draw.
 */
import type { Outcome } from '../../core/result.js';
import type { StudyCells } from '../../core/study/cell.js';
import { fullUsd, sumUsage } from '../../core/usage.js';
import { AskedQuestions } from '../comparisons/asked-questions.js';
import type { GroupFields, Grouping } from '../comparisons/question-groups.js';
import { shownInOrder, shownOnly } from '../runs/metrics.js';
import { metricFigures, type RunFigures, RunTally } from '../runs/run-figures.js';
import { joinRuns, type RunSource } from '../runs/run-source.js';
import { deviation, mean, questionMeans } from '../statistics/repeats.js';
import { weightedInterval } from '../statistics/score-interval.js';
import type { ExperimentLabels } from './declared-pairs.js';

/**
 * A cell of a study: the labels of its method, data set and model, and the names of its runs, one
 * for each repeat.
 */
export type Cell = StudyCells['cells'][number] & ExperimentLabels;

/**
 * One metric with the figures of a cell of a study in it over all repeats: its `mean` with
 * interval (`mean.low` to `mean.high`), its `scores` by question id, the number of `questions`,
 * and the mean of each of the `repeats` with their standard deviation (`spread`, undefined for
 * fewer than two). All are fractions.
 */
export type CellMetric = ReturnType<typeof metricsOf>[number];
/**
 * A cell of a study with its figures over all its repeats: metrics, counts of questions, usage and
 * times, as `cellFigures` returns them.
 */
export type CellFigures = Awaited<ReturnType<typeof cellFigures>>;

/**
 * Reads the runs of a cell answer by answer, and returns the cell with its figures over all
 * repeats: among others its `metrics`, the ids of its questions in their `order`, the numbers of
 * `answers` and `planned` ones, the `outcomes`, the `usage`, the mean cost of an answer in US
 * dollars (`costUsd`, null if unknown) and its median `seconds`.
 *
 * @param sources The cell's runs that have started.
 * @param fields Fields by which the questions are grouped.
 */
export async function cellFigures(
  cell: Cell,
  sources: readonly RunSource[],
  fields: GroupFields = {},
) {
  const tallies = sources.map(({ manifest }) => new RunTally(manifest, [], fields.cluster));
  const asked = new AskedQuestions(cell.runs.length, fields);
  for await (const { question, answers } of joinRuns(sources)) {
    asked.add(question, answers);
    for (const [i, answer] of answers.entries()) {
      if (answer) tallies[i]?.add(question, answer);
    }
  }
  const figures = tallies.map((tally) => tally.figures());
  const answers = figures.reduce((total, run) => total + run.ended, 0);
  const usage = sumUsage(figures.map((run) => run.usage));
  const full = fullUsd(usage);
  const walls = figures.flatMap(({ durations }) => durations?.median ?? []);
  const works = figures.flatMap(({ working }) => working?.median ?? []);
  return {
    ...cell,
    data: cell.dataset,
    form: sources[0]?.manifest.answerForm ?? 'short',
    /** Its runs that have started, and the figures of each. */
    sources,
    figures,
    metrics: metricsOf(figures, asked.figures().clusters),
    ...asked.figures(),
    /** Number of answers so far over all repeats, and of all that are planned; equal for a part of a cell. */
    answers,
    planned: cell.partOf === undefined ? asked.figures().order.length * cell.runs.length : answers,
    /** Number of answers by outcome. */
    outcomes: sumOutcomes(figures),
    /** Usage of the answers; cached calls count with their original cost. */
    usage,
    /** Mean cost of an answer in US dollars; null if a price is unknown. */
    costUsd: full !== null && answers > 0 ? full / answers : null,
    /** Mean number of searches of an answer; null if unknown. */
    searches:
      answers > 0 && usage.answersWithoutUsage === undefined
        ? figures.reduce((total, run) => total + run.retrievals, 0) / answers
        : null,
    /** Median working and total seconds of a question, averaged over the repeats; undefined without any. */
    workingSeconds: works.length > 0 ? mean(works) : undefined,
    seconds: walls.length > 0 ? mean(walls) : undefined,
  };
}

function sumOutcomes(runs: readonly RunFigures[]): Record<Outcome, number> {
  const sums = { answered: 0, unknown: 0, unreadable: 0, failed: 0 };
  for (const { outcomes } of runs) {
    for (const outcome of Object.keys(sums) as Outcome[]) sums[outcome] += outcomes[outcome];
  }
  return sums;
}

/**
 * Returns the figures of a cell in a metric, by the name of the metric: its mean with interval,
 * and its scores by question id, from 0 to 1; undefined if the cell has no score in it.
 */
export function cellMetric({ metrics }: CellFigures, metric: string): CellMetric | undefined {
  return metrics.find((figures) => figures.metric === metric);
}

function metricsOf(runs: readonly RunFigures[], clusters: Grouping | undefined) {
  return shownInOrder(runs.flatMap(({ metrics }) => metrics)).flatMap((metric) => {
    const tables = runs.flatMap((run) => metricFigures(run, metric.metric)?.scores ?? []);
    const scores = questionMeans(tables);
    if (scores.size === 0) return [];
    const repeats = tables.filter(({ size }) => size > 0).map((table) => mean([...table.values()]));
    const [wholes] = runs.flatMap((run) => metricFigures(run, metric.metric)?.wholes ?? []);
    return {
      ...shownOnly(metric),
      /** Mean score over the repeats that have answered, by question id. */
      scores,
      /** Weights of questions; undefined if all are 1. */
      ...(wholes && { wholes }),
      /**
       * Mean of the question means, so that repeats do not count as further questions.
       */
      mean: weightedInterval(scores, wholes, clusters?.of),
      questions: scores.size,
      /** The mean of each repeat, and their standard deviation; undefined for fewer than two. */
      repeats,
      spread: deviation(repeats),
    };
  });
}
