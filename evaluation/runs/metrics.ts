/** The metrics of a run: their names for people, their order, and which one decides a question. */

import type { RunMetric } from '../../methods/batch/batch.js';
import type { JudgedMetric } from '../citations/scores.js';
import type { AnswerScores } from '../score-answer.js';

/** What a metric is about. */
export type MetricGroup =
  | 'answer' // told from the answer alone
  | 'judged' // told by a judge
  | 'retrieval'; // told from the passages

export interface Metric {
  /** As scores name it. */
  metric: string;
  title: string;
  group: MetricGroup;
  /** One of the few that stand for the run; the others explain it. */
  isHeadline: boolean;
}

type BuiltIn = keyof AnswerScores | JudgedMetric | 'coverage';
type Facts = Omit<Metric, 'metric'>;

const of = (title: string, group: MetricGroup, isHeadline = false): Facts => ({
  title,
  group,
  isHeadline,
});

/** In the order shown. */
const METRICS: Record<BuiltIn, Facts> = {
  em: of('EM', 'answer', true),
  f1: of('F1', 'answer', true),
  hasAnswer: of('Has answer', 'answer'),
  accuracy: of('Accuracy', 'answer', true),
  strEm: of('STR-EM', 'answer', true),
  strHit: of('STR hit', 'answer'),
  listF1At5: of('List F1-5', 'answer', true),
  listF1: of('List F1', 'answer'),
  listPrecision: of('List precision', 'answer'),
  listRecall5: of('List recall-5', 'answer'),
  listRecall: of('List recall', 'answer'),
  rougeLsum: of('ROUGE-Lsum (ALCE)', 'answer', true),
  rougeLKilt: of('ROUGE-L (KILT)', 'answer'),
  rougeL: of('ROUGE-L', 'answer'),
  claimRecall: of('Claim recall', 'judged', true),
  citationF1: of('Citation F1', 'judged', true),
  citationRecall: of('Citation recall', 'judged'),
  citationPrecision: of('Citation precision', 'judged'),
  coverage: of('Answer coverage', 'retrieval'),
};

const NAMES = Object.keys(METRICS);
const GROUPS: MetricGroup[] = ['answer', 'judged', 'retrieval'];
const RECALL = 'recall@';

/** Whether it is a metric of ours: "recall@5" is Recall@k. */
export function isBuiltIn(name: string): boolean {
  return isListed(name) || name.startsWith(RECALL);
}

function isListed(name: string): name is BuiltIn {
  return Object.hasOwn(METRICS, name);
}

/**
 * What is known of a metric; what is in no table comes from a judge.
 *
 * @param own Metrics of somebody's own, as the manifest of a run or its progress has them.
 */
export function metricOf(metric: string, own: readonly RunMetric[] = []): Metric {
  if (isListed(metric)) return { metric, ...METRICS[metric] };
  if (metric.startsWith(RECALL)) {
    return { metric, ...of(`Recall@${metric.slice(RECALL.length)}`, 'retrieval') };
  }
  const mine = own.find(({ name }) => name === metric);
  if (!mine) return { metric, ...of(metric, 'judged') };
  return { metric, ...of(mine.title, mine.judged ? 'judged' : 'answer', mine.headline) };
}

/** Metrics in the order shown: group by group, those of somebody's own behind ours. */
export function inOrder(names: Iterable<string>, own: readonly RunMetric[] = []): Metric[] {
  const place = (name: string): number => {
    if (name.startsWith(RECALL)) return NAMES.length + Number(name.slice(RECALL.length));
    const mine = own.findIndex((metric) => metric.name === name);
    if (isListed(name)) return NAMES.indexOf(name);
    return NAMES.length + (mine === -1 ? own.length : mine);
  };
  return [...names]
    .map((name) => metricOf(name, own))
    .sort(
      (a, b) =>
        GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) ||
        place(a.metric) - place(b.metric) ||
        (a.metric < b.metric ? -1 : 1),
    );
}

/** Those that a question is judged by, the most telling first; a kind of question has one of them. */
const MAIN = ['accuracy', 'em', 'strEm', 'listF1At5', 'claimRecall', 'f1', 'rougeLsum'];

/** The metrics that a question can be judged by, the one that decides first: ours before others' own. */
export function mainFirst<M extends { metric: string }>(metrics: readonly M[]): M[] {
  const ours = MAIN.flatMap((name) => metrics.filter(({ metric }) => metric === name));
  return [...ours, ...metrics.filter(({ metric }) => !isBuiltIn(metric))];
}

/**
 * The score by which an answer counts as right or wrong where only one of the two can be shown:
 * accuracy, else EM, else STR hit (all short answers found); undefined when nothing was scored.
 * Graded scores stand in where there is no such metric, and the first metric of somebody's own where
 * there is none of ours.
 */
export function decisiveScore(scores: Readonly<Record<string, number>>): number | undefined {
  const [main] = mainFirst(Object.keys(scores).map((metric) => ({ metric })));
  return scores.strHit ?? (main && scores[main.metric]);
}
