/** Collects the scores of a run by metric, and computes their means and intervals. */

import {
  type FoundPassages,
  normalizedScore,
  type PassageMetric,
  type RatioPart,
} from '../../core/metric.js';
import type { Outcome } from '../../core/result.js';
import type { RunAnswer, RunManifest, RunQuestion } from '../../stores/runs/run-store.js';
import { BUILT_IN, goldRecallMetric, recallMetric } from '../metrics/built-in.js';
import type { ChainValue } from '../score-answer.js';
import { RECALL_DEPTHS } from '../score-passages.js';
import { countedScore, type MeanScore, summarizeScores } from '../score-summary.js';
import type { Scores } from '../statistics/compare-scores.js';
import { weightedInterval } from '../statistics/score-interval.js';
import { chainMetricsOf, metricsInOrder, type ShownMetric, shownMetric } from './metrics.js';
import { outcomeOf } from './question-state.js';

/**
 * One metric with the figures of a run or cell in it: its mean scores with their intervals, and
 * its scores by question id. Scores are fractions, and only questions to which the metric applies
 * count.
 */
export interface MetricFigures extends ShownMetric {
  /**
   * Mean score. For answers, questions without an answer count as 0; for passages and chains,
   * failed questions are left out. Undefined without questions.
   */
  all: MeanScore | undefined;
  /** Mean score without failed questions; for passages and chains equal to `all`. */
  withoutFailed: MeanScore | undefined;
  /** Mean score of the answered questions only; for passages and chains equal to `all`. */
  answered: MeanScore | undefined;
  /**
   * Scores by question id, of which `all` is the mean. For a metric with a range they are fractions
   * of the range.
   */
  scores: Scores;
  /** Weights of questions in `all`, by question id; undefined if all are 1. */
  wholes?: Scores;
  /** Outcomes by question id; empty for passages and chains. */
  outcomes: ReadonlyMap<string, Outcome>;
}

interface Scored {
  cluster: string | undefined;
  outcome: Outcome;
  score: number;
}

/**
 * Collects the scores of a run's answers, which are added one by one, and computes the figures of
 * each metric.
 */
export class ScoreTables {
  private readonly answers = new Map<string, Map<string, Scored>>();
  private readonly found = new Map<string, FoundPassages>();
  /** Values of each chain metric, by metric and question id. */
  private readonly ofChain = new Map<string, Map<string, ChainValue>>();
  /** Whether anything was searched or generated. Otherwise there is no retrieval to score. */
  private retrieves = false;

  private readonly clusters = new Map<string, string>();

  /** @param cluster Field whose value the questions of a cluster share. */
  constructor(
    private readonly manifest: Pick<RunManifest, 'metrics' | 'chainMetrics'>,
    private readonly cluster?: string,
  ) {}

  add({ id, fields }: RunQuestion, answer: RunAnswer): void {
    const cluster = this.cluster === undefined ? undefined : fields?.[this.cluster];
    if (cluster !== undefined) this.clusters.set(id, cluster);
    const outcome = outcomeOf(answer);
    const { scores, chainScores = {}, judgement, retrieval, gold, result } = answer;
    // Questions that the judge failed on, or gave no verdict on, are left out of judged metrics.
    for (const [metric, score] of Object.entries({ ...scores, ...judgement?.scores })) {
      const table = this.answers.get(metric) ?? new Map<string, Scored>();
      table.set(id, { cluster, outcome, score });
      this.answers.set(metric, table);
    }
    for (const [metric, value] of Object.entries(chainScores)) {
      this.ofChain.set(metric, (this.ofChain.get(metric) ?? new Map()).set(id, value));
    }
    // A search without results counts as 0.
    if (!retrieval && !gold) return;
    const read = Math.max(retrieval?.hits.length ?? 0, gold?.grades.length ?? 0);
    if (read > 0 || (result?.retrievals ?? 0) > 0) this.retrieves = true;
    this.found.set(id, { answers: retrieval, gold });
  }

  figures(): MetricFigures[] {
    const ofAnswers = metricsInOrder(this.answers.keys(), this.manifest.metrics).map(
      (metric): MetricFigures => {
        const table = this.answers.get(metric.metric) ?? new Map<string, Scored>();
        const { all, withoutFailed, answered } = summarizeScores([...table.values()]);
        const scores = new Map([...table].map(([id, scored]) => [id, countedScore(scored)]));
        const outcomes = new Map([...table].map(([id, { outcome }]) => [id, outcome]));
        return { ...metric, all, withoutFailed, answered, scores, outcomes };
      },
    );
    return [...ofAnswers, ...this.retrievalFigures(), ...this.chainFigures()];
  }

  private chainFigures(): MetricFigures[] {
    return chainMetricsOf(this.manifest).flatMap((metric) => {
      const values = [...(this.ofChain.get(metric.metric) ?? [])];
      if (values.length === 0) return [];
      return this.ofParts(
        metric,
        values.map(([id, value]) => ({ id, ...partOf(value, metric) })),
      );
    });
  }

  private retrievalFigures(): MetricFigures[] {
    if (!this.retrieves) return [];
    const found = [...this.found.values()];
    const depthsOf = (lengths: readonly (number | undefined)[]) => {
      const most = lengths.reduce<number>((max, length = 0) => Math.max(max, length), 1);
      return [...new Set([...RECALL_DEPTHS.filter((k) => k < most), most])];
    };
    const answers = depthsOf(found.map((one) => one.answers?.hits.length));
    const gold = depthsOf(found.map((one) => one.gold?.grades.length));
    return [
      ...PASSAGE_METRICS.map((metric, i) => this.ofPassages(metric, i)),
      ...answers.map((k) => this.ofPassages(recallMetric(k), PASSAGE_METRICS.length + k)),
      ...gold.map((k) => this.ofPassages(goldRecallMetric(k), AFTER_RECALL + k)),
    ].filter((figures) => figures.scores.size > 0);
  }

  private ofPassages(metric: PassageMetric, place: number): MetricFigures {
    const parts = [...this.found].flatMap(([id, found]) => {
      const share = metric.share(found);
      return share ? [{ id, ...share }] : [];
    });
    return this.ofParts(shownMetric(metric, place), parts);
  }

  private ofParts(
    metric: ShownMetric,
    parts: readonly (RatioPart & { id: string })[],
  ): MetricFigures {
    const scores = new Map(parts.map(({ id, part, whole }) => [id, part / whole]));
    const wholesOf = new Map(parts.map(({ id, whole }) => [id, whole]));
    const clusters = this.cluster === undefined ? undefined : this.clusters;
    const mean =
      parts.length > 0
        ? { questions: parts.length, ...weightedInterval(scores, wholesOf, clusters) }
        : undefined;
    return {
      ...metric,
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

/** Returns a chain metric's value as a part of a whole; a plain value has the whole 1. */
function partOf(value: ChainValue, { range }: ShownMetric): RatioPart {
  return typeof value === 'number' ? { part: normalizedScore(value, range), whole: 1 } : value;
}

/** Place of the first metric after Recall@k, whose places are their depths. */
const AFTER_RECALL = 1_000_000;

const PASSAGE_METRICS = BUILT_IN.filter((metric) => metric.from === 'passages');
