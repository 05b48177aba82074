/** Joins the repeats of an experiment to cells. Pure. */
import { canonicalJson } from '../../core/canonical-json.js';
import { groupedBy } from '../../core/grouped-by.js';
import type { Outcome } from '../../core/result.js';
import { fullUsd } from '../../core/usage.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import { AskedQuestions } from '../comparisons/asked-questions.js';
import type { ComparedCell } from '../comparisons/compare-pairs.js';
import type { GroupFields, Grouping } from '../comparisons/question-groups.js';
import { deviation, questionMeans } from '../statistics/repeats.js';
import { weightedInterval } from '../statistics/score-interval.js';
import { isChosenFork } from './fork-accounts.js';
import { metricFigures, type RunFigures, RunTally } from './run-figures.js';
import { datasetHashOf, experimentKey } from './run-identity.js';
import type { JoinedQuestion, RunSource } from './run-source.js';
import type { MetricFigures } from './score-tables.js';

/**
 * A cell of a comparison of runs, with its figures: a single run, or the repeats of one experiment
 * together.
 */
export interface RunCell extends ComparedCell {
  /** Positions of its runs among the compared runs. */
  runs: number[];
  /** Names of its runs. */
  names: string[];
  /**
   * Name of the stored run to which its first run belongs, also if the cell is only a part of that
   * run.
   */
  kept: string;
  /**
   * Figures of all its runs together: sums of counts, and each question's mean score over the runs,
   * so that repeats of a question are one draw. The manifest is that of its first run.
   */
  figures: RunFigures;
  /**
   * Standard deviation between the mean scores of its runs, as a fraction, by metric; 0 for a
   * single run.
   */
  spread: ReadonlyMap<string, number>;
}

/**
 * Groups runs by experiment, and returns one list for each experiment, with the positions of its
 * runs, from 0. Runs with different labels in a study are different experiments. Each part of a
 * changed run is an experiment of its own, and so is each fork whose questions were chosen.
 */
export function experimentsOf(sources: readonly RunSource[]): number[][] {
  const cells = groupedBy(sources.entries(), ([position, { manifest, part }]) => {
    if (part !== undefined || isChosenFork(manifest)) return position;
    // Two methods of a study can be the same experiment under two names.
    const { name, method, dataset, model } = manifest.input.study ?? {};
    return canonicalJson([experimentKey(manifest), { name, method, dataset, model }]);
  });
  return [...cells.values()].map((runs) => runs.map(([position]) => position));
}

/**
 * Returns one tally for each experiment among runs. After all joined questions have been added to
 * a tally, it computes the cell of its experiment.
 *
 * @param fieldsOf Returns the fields by which the questions of a run are grouped.
 */
export function cellTallies(
  sources: readonly RunSource[],
  fieldsOf: (manifest: RunManifest) => GroupFields,
): CellTally[] {
  return experimentsOf(sources).map((runs) => new CellTally(runs, sources, fieldsOf));
}

/** Sums up the answers of all repeats of an experiment. */
class CellTally {
  /** Sums over several runs; undefined for a single run. */
  private readonly together: RunTally | undefined;
  private readonly asked: AskedQuestions;
  private readonly data: string | undefined;
  private readonly partOf: string | undefined;

  constructor(
    private readonly positions: number[],
    sources: readonly RunSource[],
    fieldsOf: (manifest: RunManifest) => GroupFields,
  ) {
    const [first, ...repeats] = positions.flatMap((at) => sources[at]?.manifest ?? []);
    const fields = first ? fieldsOf(first) : {};
    this.asked = new AskedQuestions(positions.length, fields);
    this.data = first && datasetHashOf(first);
    this.partOf = sources[positions[0] ?? -1]?.partOf;
    this.together =
      first && repeats.length > 0 ? new RunTally(first, repeats, fields.cluster) : undefined;
  }

  add({ question, data, answers }: JoinedQuestion): void {
    if (data !== this.data) return;
    const own = this.positions.map((position) => answers[position]);
    this.asked.add(question, own);
    for (const answer of own) if (answer) this.together?.add(question, answer);
  }

  /** Returns the cell. @param runs Figures of all compared runs, by position. */
  cell(runs: readonly RunFigures[]): RunCell {
    const repeats = this.positions.flatMap((position) => runs[position] ?? []);
    const [first] = repeats as [RunFigures, ...RunFigures[]];
    const asked = this.asked.figures();
    const metrics = first.metrics.map(({ metric }) =>
      pooledMetric(
        repeats.flatMap((repeat) => metricFigures(repeat, metric) ?? []),
        asked.clusters,
      ),
    );
    const figures = this.together ? { ...this.together.figures(), metrics } : first;
    const full = fullUsd(figures.usage);
    return {
      runs: this.positions,
      names: repeats.map(({ manifest }) => manifest.run),
      kept: this.partOf ?? first.manifest.run,
      figures,
      spread: spreadOf(repeats),
      data: datasetHashOf(first.manifest),
      form: first.manifest.answerForm ?? 'short',
      metrics: figures.metrics,
      ...asked,
      costUsd: full !== null && figures.ended > 0 ? full / figures.ended : null,
    };
  }
}

function pooledMetric(
  repeats: readonly MetricFigures[],
  clusters: Grouping | undefined,
): MetricFigures {
  const meanOver = (...left: Outcome[]) =>
    questionMeans(
      repeats.map(
        ({ scores, outcomes }) =>
          new Map([...scores].filter(([id]) => !left.some((one) => one === outcomes.get(id)))),
      ),
    );
  const wholes = repeats.find((repeat) => repeat.wholes)?.wholes;
  const intervalOf = (scores: ReadonlyMap<string, number>) =>
    scores.size === 0
      ? undefined
      : { ...weightedInterval(scores, wholes, clusters?.of), questions: scores.size };
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
