/** The metrics of a run: their names for people, their order, and which one decides a question. */

/** What a metric is about. */
export type MetricGroup =
  | 'answer' // told from the answer alone
  | 'judged' // told by a judge
  | 'retrieval'; // told from the passages

interface Metric {
  title: string;
  group: MetricGroup;
  /** One of the few that stand for the run; the others explain it. */
  isHeadline: boolean;
}

const of = (title: string, group: MetricGroup, isHeadline = false): Metric => ({
  title,
  group,
  isHeadline,
});

/** In the order shown. */
const METRICS: Record<string, Metric> = {
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

/**
 * What is known of a metric; "recall@5" is Recall@k, and what is not in the table comes from a
 * judge.
 */
export function metricOf(name: string): Metric {
  const known = Object.hasOwn(METRICS, name) ? METRICS[name] : undefined;
  if (known) return known;
  return name.startsWith('recall@')
    ? of(`Recall@${name.slice('recall@'.length)}`, 'retrieval')
    : of(name, 'judged');
}

/** Metric names in the order shown. */
export function inOrder(names: Iterable<string>): string[] {
  const known = Object.keys(METRICS);
  const place = (name: string): number => {
    if (name.startsWith('recall@')) return known.length + Number(name.slice('recall@'.length));
    const position = known.indexOf(name);
    return position === -1 ? known.length - 0.5 : position;
  };
  return [...names].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}

/** Those that say whether an answer is right, the most telling first. */
const DECISIVE = ['accuracy', 'em', 'strHit', 'listF1At5', 'claimRecall', 'f1', 'rougeLsum'];

/**
 * The score by which an answer counts as right or wrong where only one of the two can be shown:
 * accuracy, else EM, else STR hit (all short answers found); undefined when nothing was scored.
 * Graded scores stand in where there is no such metric.
 */
export function decisiveScore(scores: Readonly<Record<string, number>>): number | undefined {
  const metric = DECISIVE.find((name) => scores[name] !== undefined);
  return metric === undefined ? undefined : scores[metric];
}
