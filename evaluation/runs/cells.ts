import { groupedBy } from '../../core/grouped-by.js';
import type { Outcome } from '../../core/result.js';
import { deviation, questionMeans } from '../statistics/repeats.js';
import { meanInterval } from '../statistics/score-interval.js';
import { isLook } from './fork-accounts.js';
import { metricFigures, type RunFigures, RunTally } from './run-figures.js';
import { experimentOf } from './run-identity.js';
import type { JoinedQuestion, RunSource } from './run-source.js';
import type { MetricFigures } from './score-tables.js';

/** One experiment, asked once or several times. */
export interface RunCell {
  /** Positions of its runs. */
  runs: number[];
  /**
   * Of all its runs together: sums of what was counted, and of scores each question's mean over the
   * runs, so that a question is one draw however often it was asked. Named as its first run.
   */
  figures: RunFigures;
  /** By metric the standard deviation between the means of its runs. */
  spread: ReadonlyMap<string, number>;
}

/**
 * Groups runs of the same experiment. Parts of a run that was changed, and forks, whose questions
 * may have been chosen by their answers, stand alone.
 */
export function cellTallies(sources: readonly RunSource[]): CellTally[] {
  const cells = groupedBy(sources.entries(), ([position, { manifest, part }]) =>
    part !== undefined || isLook(manifest) ? position : experimentOf(manifest),
  );
  return [...cells.values()].map(
    (runs) =>
      new CellTally(
        runs.map(([position]) => position),
        sources,
      ),
  );
}

/** Adds up the answers of all repeats of an experiment. */
class CellTally {
  /** Not of a run that stands alone, whose figures are those of its cell. */
  private readonly together: RunTally | undefined;

  constructor(
    private readonly positions: number[],
    sources: readonly RunSource[],
  ) {
    const [first, ...repeats] = positions.flatMap((at) => sources[at]?.manifest ?? []);
    this.together = first && repeats.length > 0 ? new RunTally(first, repeats) : undefined;
  }

  add({ question, answers }: JoinedQuestion): void {
    for (const position of this.positions) {
      const answer = answers[position];
      if (answer) this.together?.add(question, answer);
    }
  }

  /** @param runs The figures of all runs. */
  cell(runs: readonly RunFigures[]): RunCell {
    const repeats = this.positions.flatMap((position) => runs[position] ?? []);
    const [first] = repeats as [RunFigures, ...RunFigures[]];
    const cell = { runs: this.positions, figures: first, spread: spreadOf(repeats) };
    if (!this.together) return cell;
    const metrics = first.metrics.map(({ metric }) =>
      pooledMetric(repeats.flatMap((repeat) => metricFigures(repeat, metric) ?? [])),
    );
    return { ...cell, figures: { ...this.together.figures(), metrics } };
  }
}

function pooledMetric(repeats: readonly MetricFigures[]): MetricFigures {
  const meanOver = (...left: Outcome[]) =>
    questionMeans(
      repeats.map(
        ({ scores, outcomes }) =>
          new Map([...scores].filter(([id]) => !left.some((one) => one === outcomes.get(id)))),
      ),
    );
  const intervalOf = (scores: ReadonlyMap<string, number>) =>
    scores.size === 0 ? undefined : { ...meanInterval(scores.values()), questions: scores.size };
  const scores = meanOver();
  return {
    ...(repeats[0] as MetricFigures),
    scores,
    all: intervalOf(scores),
    withoutFailed: intervalOf(meanOver('failed')),
    answered: intervalOf(meanOver('failed', 'unreadable', 'unknown')),
  };
}

function spreadOf(repeats: readonly RunFigures[]): ReadonlyMap<string, number> {
  const names = repeats[0]?.metrics.map(({ metric }) => metric) ?? [];
  return new Map(
    names.map((name) => {
      const means = repeats.flatMap((repeat) => metricFigures(repeat, name)?.all?.mean ?? []);
      return [name, deviation(means) ?? 0];
    }),
  );
}
