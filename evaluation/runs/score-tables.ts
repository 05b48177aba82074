/** Collects the scores of a run by metric, and makes means with intervals of them. */

import type { PassageMetric, PassageScores } from '../../core/metric.js';
import type { Outcome } from '../../core/result.js';
import type { RunMetric } from '../../core/run/run.js';
import type { RunAnswer, RunQuestion } from '../../stores/runs/run-store.js';
import { BUILT_IN, recallMetric } from '../metrics/built-in.js';
import { countedScore, type MeanScore, summarizeScores } from '../score-summary.js';
import type { Scores } from '../statistics/compare-scores.js';
import { weightedInterval } from '../statistics/score-interval.js';
import { inOrder, type ShownMetric, shownMetric } from './metrics.js';
import { outcomeOf } from './question-state.js';

/** A metric over the questions of a run that it applies to. */
export interface MetricFigures extends ShownMetric {
  /** Of answers: whatever is not answered counts as 0. Of passages: over what did not fail. */
  all: MeanScore | undefined;
  /** Without those that failed; see the score summary. Of passages the same as `all`. */
  withoutFailed: MeanScore | undefined;
  /** Over the answered questions only. Of passages the same as `all`. */
  answered: MeanScore | undefined;
  /** What `all` is the mean of, by question. */
  scores: Scores;
  /** What each question counts in `all`; left out if all count the same. */
  wholes?: Scores;
  /** How the same questions ended; empty of passages. */
  outcomes: ReadonlyMap<string, Outcome>;
}

interface Scored {
  cluster: string | undefined;
  outcome: Outcome;
  score: number;
}

/** Depths of Recall@k, of which those are shown that the retrieved passages reach. */
export const DEPTHS = [1, 5, 10, 20, 50, 100];

export class ScoreTables {
  private readonly answers = new Map<string, Map<string, Scored>>();
  private readonly found = new Map<string, PassageScores>();
  /** Whether anything was searched for or generated: else there is no retrieval to score. */
  private retrieves = false;

  private readonly clusters = new Map<string, string>();

  /**
   * @param own Metrics of somebody's own.
   * @param cluster Field whose value the questions of a cluster share.
   */
  constructor(
    private readonly own: readonly RunMetric[] = [],
    private readonly cluster?: string,
  ) {}

  add({ id, fields }: RunQuestion, answer: RunAnswer): void {
    const cluster = this.cluster === undefined ? undefined : fields?.[this.cluster];
    if (cluster !== undefined) this.clusters.set(id, cluster);
    const outcome = outcomeOf(answer);
    const { scores, judgement, retrieval, result } = answer;
    // What the judge failed on, or gave no verdict by, is left out of what is judged.
    for (const [metric, score] of Object.entries({ ...scores, ...judgement?.scores })) {
      const table = this.answers.get(metric) ?? new Map<string, Scored>();
      table.set(id, { cluster, outcome, score });
      this.answers.set(metric, table);
    }
    // A search that found nothing counts: it found no answer.
    if (!retrieval) return;
    if (retrieval.hits.length > 0 || (result?.retrievals ?? 0) > 0) this.retrieves = true;
    this.found.set(id, retrieval);
  }

  figures(): MetricFigures[] {
    const ofAnswers = inOrder(this.answers.keys(), this.own).map((metric): MetricFigures => {
      const table = this.answers.get(metric.metric) ?? new Map<string, Scored>();
      const { all, withoutFailed, answered } = summarizeScores([...table.values()]);
      const scores = new Map([...table].map(([id, scored]) => [id, countedScore(scored)]));
      const outcomes = new Map([...table].map(([id, { outcome }]) => [id, outcome]));
      return { ...metric, all, withoutFailed, answered, scores, outcomes };
    });
    return [...ofAnswers, ...this.retrievalFigures()];
  }

  private retrievalFigures(): MetricFigures[] {
    if (!this.retrieves) return [];
    const most = [...this.found.values()].reduce((max, { hits }) => Math.max(max, hits.length), 1);
    const depths = [...new Set([...DEPTHS.filter((k) => k < most), most])];
    return [
      ...PASSAGE_METRICS.map((metric) => this.ofPassages(metric, 0)),
      ...depths.map((k) => this.ofPassages(recallMetric(k), k)),
    ].filter((figures) => figures.scores.size > 0);
  }

  private ofPassages(metric: PassageMetric, place: number): MetricFigures {
    const parts = [...this.found].flatMap(([id, found]) => {
      const share = metric.share(found);
      return share ? [{ id, ...share }] : [];
    });
    const scores = new Map(parts.map(({ id, part, whole }) => [id, part / whole]));
    const wholesOf = new Map(parts.map(({ id, whole }) => [id, whole]));
    const clusters = this.cluster === undefined ? undefined : this.clusters;
    const mean =
      parts.length > 0
        ? { questions: parts.length, ...weightedInterval(scores, wholesOf, clusters) }
        : undefined;
    return {
      ...shownMetric(metric, place),
      all: mean,
      withoutFailed: mean,
      answered: mean,
      scores,
      ...(parts.some(({ whole }) => whole !== 1) && {
        wholes: wholesOf,
      }),
      outcomes: new Map(),
    };
  }
}

const PASSAGE_METRICS = BUILT_IN.filter((metric) => metric.from === 'passages');
