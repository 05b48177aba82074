/** Collects the scores of a run by metric, and makes means with intervals of them. */
import type { RunMetric } from '../../methods/batch/batch.js';
import type { Outcome } from '../../methods/result.js';
import type { RunAnswer, RunQuestion } from '../../results/run-store.js';
import { recallAt } from '../metrics/retrieval-recall.js';
import { countedScore, type MeanScore, summarizeScores } from '../score-summary.js';
import type { Scores } from '../statistics/compare-runs.js';
import { meanInterval, type Part, ratioInterval } from '../statistics/score-interval.js';
import { inOrder, isBuiltIn, type Metric, metricOf } from './metrics.js';
import { outcomeOf } from './question-state.js';

/** A metric over the questions of a run that it applies to. */
export interface MetricFigures extends Metric {
  /** Of answers: whatever is not answered counts as 0. Of passages: over what did not fail. */
  all: MeanScore | undefined;
  /** Without those that failed; see the score summary. Of passages the same as `all`. */
  withoutFailed: MeanScore | undefined;
  /** Over the answered questions only. Of passages the same as `all`. */
  answered: MeanScore | undefined;
  /** What `all` is the mean of, by question. */
  scores: Scores;
}

interface Scored {
  outcome: Outcome;
  score: number;
}

/** Depths of Recall@k, of which those are shown that the retrieved passages reach. */
const DEPTHS = [1, 5, 10, 20, 50, 100];

export class ScoreTables {
  private readonly answers = new Map<string, Map<string, Scored>>();
  private readonly hits = new Map<string, boolean[]>();
  private readonly coverage = new Map<string, Part>();
  /** Whether anything was searched for or generated: else there is no retrieval to score. */
  private retrieves = false;
  /** The judged metrics met, by the kind of question. */
  private readonly judgedKinds = new Map<string, Set<string>>();
  /** What is to have every judged metric of its kind: which those are is known at the end. */
  private readonly judged: { id: string; kind: string; outcome: Outcome }[] = [];

  /** @param own Metrics of somebody's own. */
  constructor(private readonly own: readonly RunMetric[] = []) {}

  add(question: RunQuestion, answer: RunAnswer): void {
    const outcome = outcomeOf(answer);
    for (const [metric, score] of Object.entries(answer.scores)) {
      this.put(metric, question.id, { outcome, score });
    }
    this.addJudgement(question, answer, outcome);
    const { retrieval, result } = answer;
    // A search that found nothing counts: it found no answer.
    if (retrieval) {
      if (retrieval.hits.length > 0 || (result?.retrievals ?? 0) > 0) this.retrieves = true;
      const { found, answers } = retrieval.coverage;
      this.hits.set(question.id, retrieval.hits);
      if (answers > 0) this.coverage.set(question.id, { part: found, whole: answers });
    }
  }

  figures(): MetricFigures[] {
    this.settleJudged();
    const ofAnswers = inOrder(this.answers.keys(), this.own).map((metric): MetricFigures => {
      const table = this.answers.get(metric.metric) ?? new Map<string, Scored>();
      const { all, withoutFailed, answered } = summarizeScores([...table.values()]);
      const scores = new Map([...table].map(([id, scored]) => [id, countedScore(scored)]));
      return { ...metric, all, withoutFailed, answered, scores };
    });
    return [...ofAnswers, ...this.retrievalFigures()];
  }

  /** An answer that the judge failed on is left out of what is judged. */
  private addJudgement(question: RunQuestion, { judgement }: RunAnswer, outcome: Outcome): void {
    const { id, answerKind, claims } = question;
    if (!judgement && outcome === 'answered') return;
    const kind = `${answerKind}${claims ? ' with claims' : ''}`;
    const met = this.judgedKinds.get(kind) ?? new Set();
    for (const [metric, score] of Object.entries(judgement?.scores ?? {})) {
      this.put(metric, id, { outcome, score });
      // A rubric without a verdict is left out, not 0.
      if (isBuiltIn(metric)) met.add(metric);
    }
    this.judgedKinds.set(kind, met);
    this.judged.push({ id, kind, outcome });
  }

  /** What has no answer, or no statement to judge, has 0 in what was judged of others of its kind. */
  private settleJudged(): void {
    for (const { id, kind, outcome } of this.judged.splice(0)) {
      for (const metric of this.judgedKinds.get(kind) ?? []) {
        if (!this.answers.get(metric)?.has(id)) this.put(metric, id, { outcome, score: 0 });
      }
    }
  }

  private retrievalFigures(): MetricFigures[] {
    if (!this.retrieves) return [];
    const most = [...this.hits.values()].reduce((max, { length }) => Math.max(max, length), 1);
    const depths = [...new Set([...DEPTHS.filter((k) => k < most), most])];
    const recalls = depths.map((k) => {
      const scores = new Map([...this.hits].map(([id, hits]) => [id, recallAt(k, hits)]));
      const mean = { questions: scores.size, ...meanInterval(scores.values()) };
      return ofPassages(`recall@${k}`, mean, scores);
    });
    if (this.coverage.size === 0) return recalls;
    const ratio = ratioInterval([...this.coverage.values()]);
    const shares = [...this.coverage].map(([id, { part, whole }]) => [id, part / whole] as const);
    const covered = { questions: this.coverage.size, ...ratio };
    return [ofPassages('coverage', covered, new Map(shares)), ...recalls];
  }

  private put(metric: string, id: string, scored: Scored): void {
    const table = this.answers.get(metric) ?? new Map<string, Scored>();
    table.set(id, scored);
    this.answers.set(metric, table);
  }
}

function ofPassages(metric: string, mean: MeanScore, scores: Scores): MetricFigures {
  return { ...metricOf(metric), all: mean, withoutFailed: mean, answered: mean, scores };
}
