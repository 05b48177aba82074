/** The built-in metrics, in the order shown, each declared like a custom one. Pure. */
import { withoutCitations } from '../../core/citations.js';
import {
  type CitationMetric,
  defineMetric,
  type GoldScores,
  type Metric,
  type PassageMetric,
  type ScoredAnswer,
  type ScoredQuestion,
  type Scorer,
} from '../../core/metric.js';
import { exactMatch } from '../../core/normalize-answer.js';
import { saysUnknown } from '../../core/unknown.js';
import {
  citationF1,
  citationPrecision,
  citationRecall,
  claimRecall,
} from '../citations/judge-answer.js';
import { labelAccuracy } from './fact-label.js';
import { type ListScores, listScores } from './list-answers.js';
import {
  averagePrecision,
  ndcg,
  recallAt,
  reciprocalRank,
  relevantRecall,
} from './retrieval-scores.js';
import { rougeL, rougeLKilt, rougeLsum } from './rouge-l.js';
import { saysNone } from './says-none.js';
import { containsAccepted, shortAnswerRecall, tokenF1 } from './short-answers.js';

type Facts = Pick<Scorer, 'name' | 'title' | 'headline' | 'decides' | 'acrossForms'>;
type Score = (prediction: string, question: ScoredQuestion) => number;

/** Properties of a metric that explains others: it is no headline and decides nothing. */
const DETAIL = { headline: false, decides: false } as const;

/** Property of metrics that a whole sentence fails although it contains the short answer. */
const OF_SHORT = { acrossForms: 'hasAnswer' } as const;
/** Property of metrics that depend on the length of an answer or on its lines. */
const OF_ONE_FORM = { acrossForms: false } as const;

/** Returns an answer without its citations; the unchanged answer if nothing else would be left. */
function textOf({ answer }: Pick<ScoredAnswer, 'answer'>): string {
  return withoutCitations(answer) || answer;
}

function hasAnswers({ answerable, answers, answerGroups, longAnswers }: ScoredQuestion): boolean {
  const isThere = answers.length > 0 || answerGroups !== undefined || longAnswers !== undefined;
  return isThere && answerable !== false;
}

/**
 * Returns a scorer of short answers. If an accepted answer says that there is none ("none",
 * "unanswerable"), a question that ended as unknown is scored as if it had given that answer.
 */
function short(facts: Facts, applies: (question: ScoredQuestion) => boolean, score: Score): Scorer {
  return defineMetric({
    ...facts,
    applies: (question) => hasAnswers(question) && applies(question),
    score: (answered) => score(textOf(answered), answered.question),
    unanswered(question, outcome) {
      const none = question.answerKind === 'long' ? undefined : question.answers.find(saysNone);
      return outcome === 'unknown' && none !== undefined ? score(none, question) : 0;
    },
  });
}

/**
 * Returns a metric of spans, and of yes and no as in HotpotQA's EM. Claims are excluded, because
 * they can be answered in other words too ("supports"). An unanswerable question is scored like
 * SQuAD 2.0's: 1 for an answer that says that there is none, otherwise 0, so that the mean EM of
 * such questions is the share left unanswered.
 */
function ofSpan(
  facts: Facts,
  score: Score,
  more: (question: ScoredQuestion) => boolean = () => false,
): Scorer {
  const isSpan = ({ answerKind, answers }: ScoredQuestion) =>
    answerKind === 'span' ||
    (answerKind === 'boolean' && answers.some((answer) => /^\s*(?:yes|no)\s*$/i.test(answer)));
  const scorer = short(facts, (question) => isSpan(question) || more(question), score);
  return defineMetric({
    ...scorer,
    applies: (question) => question.answerable === false || scorer.applies?.(question) === true,
    score: (answered) =>
      answered.question.answerable === false
        ? saysUnknown(textOf(answered))
        : scorer.score(answered),
    unanswered: (question, outcome) =>
      question.answerable === false
        ? Number(outcome === 'unknown')
        : (scorer.unanswered?.(question, outcome) ?? 0),
  });
}

/** Returns a metric of lists, by QAMPARI's rules. */
function ofList(facts: Facts, pick: (scores: ListScores) => number): Scorer {
  const groupsOf = ({ answers, answerGroups }: ScoredQuestion) =>
    answerGroups ?? answers.map((answer) => [answer]);
  return defineMetric({
    ...facts,
    applies: (question) =>
      question.answerKind === 'list' && hasAnswers(question) && groupsOf(question).length > 0,
    score: ({ question, answer }) => pick(listScores(answer, groupsOf(question))),
  });
}

/**
 * Returns a metric of long answers.
 *
 * @param gold Returns the references of a question; the metric applies if there are any.
 */
function ofText(
  facts: Facts,
  gold: (question: ScoredQuestion) => readonly unknown[] | undefined,
  score: Score,
): Scorer {
  return defineMetric({
    ...facts,
    applies: (question) =>
      question.answerKind === 'long' &&
      question.answerable !== false &&
      (gold(question) ?? []).length > 0,
    score: (answered) => score(textOf(answered), answered.question),
  });
}

function ofCitations(facts: Facts, score: CitationMetric['score']): CitationMetric {
  return defineMetric({ ...facts, from: 'citations', score });
}

const groups = ({ answerGroups }: ScoredQuestion) => answerGroups;
const texts = ({ longAnswers }: ScoredQuestion) => longAnswers;
/** Returns whether the accepted answers are long texts themselves, as in dialogue. */
const isReply = (question: ScoredQuestion) =>
  question.answerKind === 'long' && !question.answerGroups && !question.longAnswers;

const em: Score = (prediction, { answers }) => exactMatch(prediction, answers);
const accuracy: Score = (prediction, { answers }) => labelAccuracy(prediction, answers);

/** Accuracy of verdicts on claims (including FEVER's NOT ENOUGH INFO), and of yes and no. */
const labels = short(
  { name: 'accuracy', title: 'Acc', decides: 1 },
  ({ answerKind }) => answerKind === 'label' || answerKind === 'boolean',
  accuracy,
);

/**
 * Returns the metric Recall@k, whose score is 1 if one of the first k passages contains an accepted
 * answer, else 0.
 */
export function recallMetric(k: number): PassageMetric {
  return defineMetric({
    ...DETAIL,
    name: `recall@${k}`,
    title: `Recall@${k}`,
    from: 'passages',
    share: ({ answers }) => answers && { part: recallAt(k, answers.hits), whole: 1 },
  });
}

/**
 * Returns the metric Gold recall@k, whose score is the fraction of a question's gold passages that
 * are among the first k passages.
 */
export function goldRecallMetric(k: number): PassageMetric {
  return ofGold(`goldRecall@${k}`, `Gold recall@${k}`, ({ grades, all }) =>
    relevantRecall(grades, all.length, k),
  );
}

/** Returns the average precision of passages that contain an answer; 0 if none does. */
function precisionOfHits(hits: readonly boolean[]): number {
  const relevant = hits.filter(Boolean).length;
  return relevant === 0 ? 0 : averagePrecision(hits.map(Number), relevant);
}

/** Returns a metric of the gold passages that were read. */
function ofGold(name: string, title: string, score: (gold: GoldScores) => number): PassageMetric {
  return defineMetric({
    ...DETAIL,
    name,
    title,
    from: 'passages',
    needsGold: true,
    share: ({ gold }) => gold && { part: score(gold), whole: 1 },
  });
}

/** Depth of the reciprocal rank and NDCG, as in BEIR and in tables of retrievers. */
const CUT = 10;

/**
 * List of the built-in metrics, in the order in which they are shown. Has-answer applies to every
 * question to which EM applies, so its mean is never lower than that of EM.
 */
export const BUILT_IN: readonly Metric[] = [
  ofSpan({ name: 'em', title: 'EM', decides: 2, ...OF_SHORT }, em),
  ofSpan(
    { name: 'f1', title: 'F1', decides: 7, ...OF_SHORT },
    (prediction, { answers, answerKind }) =>
      tokenF1(prediction, answers, answerKind === 'boolean' ? 'hotpotqa' : 'squad'),
    isReply,
  ),
  // For yes and no, the answer counts if it takes that side: "no evidence" contains no "no".
  ofSpan({ name: 'hasAnswer', title: 'Has answer', ...DETAIL }, (prediction, question) =>
    question.answerKind === 'boolean'
      ? Math.max(em(prediction, question), accuracy(prediction, question))
      : containsAccepted(prediction, question.answers),
  ),
  defineMetric({
    ...labels,
    unanswered: (question, outcome) =>
      question.answerKind === 'label'
        ? Number(outcome === 'unknown') && accuracy('unknown', question)
        : (labels.unanswered?.(question, outcome) ?? 0),
  }),
  ofText(
    { name: 'strEm', title: 'STR-EM', decides: 4 },
    groups,
    (prediction, { answerGroups = [] }) => shortAnswerRecall(prediction, answerGroups).recall,
  ),
  // 1 or 0: whether all are found.
  ofText(
    { name: 'strHit', title: 'STR hit', headline: false, decides: 3 },
    groups,
    (prediction, { answerGroups = [] }) => shortAnswerRecall(prediction, answerGroups).hit,
  ),
  ofList(
    { name: 'listF1At5', title: 'List F1-5', decides: 5, ...OF_ONE_FORM },
    ({ f1At5 }) => f1At5,
  ),
  ofList({ name: 'listF1', title: 'List F1', ...DETAIL, ...OF_ONE_FORM }, ({ f1 }) => f1),
  ofList(
    { name: 'listPrecision', title: 'List precision', ...DETAIL, ...OF_ONE_FORM },
    (list) => list.precision,
  ),
  ofList(
    { name: 'listRecall5', title: 'List recall-5', ...DETAIL, ...OF_ONE_FORM },
    ({ recall5 }) => recall5,
  ),
  ofList(
    { name: 'listRecall', title: 'List recall', ...DETAIL, ...OF_ONE_FORM },
    ({ recall }) => recall,
  ),
  ofText(
    { name: 'rougeLsum', title: 'ROUGE-Lsum (ALCE)', decides: 8, ...OF_ONE_FORM },
    texts,
    (prediction, { longAnswers = [] }) => rougeLsum(prediction, longAnswers),
  ),
  ofText(
    { name: 'rougeLKilt', title: 'ROUGE-L (KILT)', ...DETAIL, ...OF_ONE_FORM },
    (question) => (isReply(question) ? question.answers : question.longAnswers),
    (prediction, { longAnswers, answers }) => rougeLKilt(prediction, longAnswers ?? answers),
  ),
  ofText(
    { name: 'rougeL', title: 'ROUGE-L', ...DETAIL, ...OF_ONE_FORM },
    texts,
    (prediction, { longAnswers = [] }) => rougeL(prediction, longAnswers),
  ),
  defineMetric({
    name: 'claimRecall',
    title: 'Claim recall',
    decides: 6,
    from: 'claims',
    score: claimRecall,
  }),
  ofCitations({ name: 'citationF1', title: 'Citation F1', decides: false }, citationF1),
  ofCitations({ name: 'citationRecall', title: 'Citation recall', ...DETAIL }, citationRecall),
  ofCitations(
    { name: 'citationPrecision', title: 'Citation precision', ...DETAIL },
    citationPrecision,
  ),
  defineMetric({
    ...DETAIL,
    name: 'coverage',
    title: 'Answer coverage',
    from: 'passages',
    share: ({ answers }) =>
      answers && answers.coverage.answers > 0
        ? { part: answers.coverage.found, whole: answers.coverage.answers }
        : undefined,
  }),
  defineMetric({
    ...DETAIL,
    name: `answerMrr@${CUT}`,
    title: `Answer MRR@${CUT}`,
    from: 'passages',
    share: ({ answers }) =>
      answers && { part: reciprocalRank(answers.hits.map(Number), CUT), whole: 1 },
  }),
  // Of the passages that were read, since the number in the corpus is unknown.
  defineMetric({
    ...DETAIL,
    name: 'answerMap',
    title: 'Answer MAP',
    from: 'passages',
    share: ({ answers }) => answers && { part: precisionOfHits(answers.hits), whole: 1 },
  }),
  ofGold(`mrr@${CUT}`, `MRR@${CUT}`, ({ grades }) => reciprocalRank(grades, CUT)),
  ofGold('map', 'MAP', ({ grades, all }) => averagePrecision(grades, all.length)),
  ofGold(`ndcg@${CUT}`, `nDCG@${CUT}`, ({ grades, all }) => ndcg(grades, all, CUT)),
  defineMetric({
    ...DETAIL,
    name: 'documentRecall',
    title: 'Gold document recall',
    from: 'passages',
    needsGold: true,
    share: ({ gold }) =>
      gold?.documents && { part: gold.documents.part / gold.documents.whole, whole: 1 },
  }),
];
