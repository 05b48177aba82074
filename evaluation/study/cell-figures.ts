/** The figures of one cell of a study: its repeats together, a question being one cluster. */
import type { Outcome } from '../../core/result.js';
import type { StudyCells } from '../../core/study/cell.js';
import { fullUsd, sumUsage } from '../../core/usage.js';
import { decidingFirst, mainsOf, type ShownMetric, shownInOrder } from '../runs/metrics.js';
import { outcomeOf } from '../runs/question-state.js';
import { metricFigures, type RunFigures, RunTally } from '../runs/run-figures.js';
import { joinRuns, type RunSource } from '../runs/run-source.js';
import { deviation, mean, questionMeans } from '../statistics/repeats.js';
import { meanInterval } from '../statistics/score-interval.js';

/** A cell by the labels that tables show, and its runs, one a repeat. */
export type Cell = StudyCells['cells'][number];

export type CellMetric = ReturnType<typeof metricsOf>[number];
export type CellFigures = Awaited<ReturnType<typeof cellFigures>>;

/** Reads the runs of a cell answer by answer. @param sources Of those that have begun. */
export async function cellFigures(cell: Cell, sources: readonly RunSource[]) {
  const tallies = sources.map(({ manifest }) => new RunTally(manifest));
  const order: string[] = [];
  const kinds = new Map<string, Set<string>>();
  const ended = new Set<string>();
  const failed = new Set<string>();
  for await (const { question, answers } of joinRuns(sources)) {
    order.push(question.id);
    kinds.set(question.answerKind, (kinds.get(question.answerKind) ?? new Set()).add(question.id));
    if (sources.length === cell.runs.length && answers.every(Boolean)) ended.add(question.id);
    for (const [i, answer] of answers.entries()) {
      if (!answer) continue;
      tallies[i]?.add(question, answer);
      if (outcomeOf(answer) === 'failed') failed.add(question.id);
    }
  }
  const figures = tallies.map((tally) => tally.figures());
  const answers = figures.reduce((so, run) => so + run.ended, 0);
  const usage = sumUsage(figures.map((run) => run.usage));
  const full = fullUsd(usage);
  const walls = figures.flatMap(({ durations }) => durations?.median ?? []);
  const works = figures.flatMap(({ working }) => working?.median ?? []);
  return {
    ...cell,
    /** Of the repeats that have begun. */
    figures,
    metrics: metricsOf(figures, cell.runs.length),
    /** Ids of all questions in the order in which they are asked. */
    order,
    /** Of those the ones of the most frequent kind: they decide which metric is the main one. */
    usual: [...kinds.values()].sort((a, b) => b.size - a.size)[0] ?? new Set<string>(),
    /** Ids of those that all repeats have ended, and of those that failed in one of them. */
    ...{ ended, failed },
    /** Answers there are over all repeats, and how many there will be. */
    answers,
    planned: order.length * cell.runs.length,
    /** How those answers came out. */
    outcomes: sumOutcomes(figures),
    /** What they took; calls served by the cache at what they had cost. */
    usage,
    /** US dollars a question and repeat; null where a price is not known. */
    costUsd: full !== null && answers > 0 ? full / answers : null,
    /** Medians a question, of the repeats the mean; undefined if there is none. */
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

export function cellMetric({ metrics }: CellFigures, metric: string): CellMetric | undefined {
  return metrics.find((figures) => figures.metric === metric);
}

function metricsOf(runs: readonly RunFigures[], planned: number) {
  return shownInOrder(runs.flatMap(({ metrics }) => metrics)).flatMap((metric) => {
    const tables = runs.flatMap((run) => metricFigures(run, metric.metric)?.scores ?? []);
    const scores = questionMeans(tables);
    if (scores.size === 0) return [];
    const repeats = tables.filter(({ size }) => size > 0).map((table) => mean([...table.values()]));
    const { group, isHeadline, decides, place, title } = metric;
    return {
      ...{ metric: metric.metric, title, group, isHeadline, decides, place },
      /** By question the mean over the repeats that have answered it. */
      scores,
      /** Of the question means, so that repeats of a question are not taken for more questions. */
      mean: meanInterval(scores.values()),
      questions: scores.size,
      /** The mean of each repeat, and the deviation of these; undefined for fewer than two. */
      ...{ repeats, spread: deviation(repeats) },
      /** Every score of every repeat is 0 or 1, and there is one repeat. */
      isYesNo: planned === 1 && [...scores.values()].every((score) => score === 0 || score === 1),
    };
  });
}

/**
 * The metric that is the main one of the most questions of the most frequent kind: whatever the other
 * kinds score by, and whichever questions end first, it stays the same.
 */
export function mainMetric(cells: readonly CellFigures[]): ShownMetric | undefined {
  const counts = new Map<string, number>();
  for (const { metrics, usual } of cells) {
    const mains = mainsOf(metrics, ({ scores }) =>
      [...scores.keys()].filter((id) => usual.has(id)),
    );
    for (const [metric, questions] of mains) {
      counts.set(metric, (counts.get(metric) ?? 0) + questions);
    }
  }
  const most = Math.max(1, ...counts.values());
  const all = cells.flatMap(({ metrics }) => metrics);
  return decidingFirst(all).find(({ metric }) => counts.get(metric) === most);
}
