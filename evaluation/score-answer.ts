/** Which metrics apply to a question, and what an answer scores in them. Pure. */
import { withoutCitations } from '../methods/citations.js';
import type { Outcome } from '../methods/result.js';
import { saysUnknown } from '../methods/unknown.js';
import type { AnswerKind, DatasetRecord } from './dataset/record.js';
import { hasAnswer } from './has-answer.js';
import { containsAccepted } from './metrics/answer-containment.js';
import { exactMatch } from './metrics/exact-match.js';
import { labelAccuracy } from './metrics/fact-label.js';
import { listScores } from './metrics/list-answers.js';
import { answerCoverage, recallAt } from './metrics/retrieval-recall.js';
import { rougeL, rougeLKilt, rougeLsum } from './metrics/rouge-l.js';
import { shortAnswerRecall } from './metrics/short-answer-recall.js';
import { tokenF1 } from './metrics/token-f1.js';

/** Scores by metric, 0 to 1; a metric that does not apply to the question is missing. */
export type AnswerScores = Partial<
  Record<
    | 'em'
    | 'f1'
    | 'hasAnswer'
    | 'accuracy'
    | 'rougeL'
    | 'rougeLsum'
    | 'rougeLKilt'
    | 'strEm'
    | 'strHit'
    | 'listPrecision'
    | 'listRecall'
    | 'listF1'
    | 'listRecall5'
    | 'listF1At5',
    number
  >
>;

type Reference = Pick<
  DatasetRecord,
  'answerable' | 'answers' | 'answerKind' | 'answerGroups' | 'longAnswers'
>;

/**
 * The scores of an answer that need no judge. Which there are depends on the question alone, so
 * an empty prediction tells what applies. Citations are no words of an answer, unless it is nothing
 * else.
 *
 * - span: EM and F1, and whether the answer has one of those asked for in it, since a method that
 *   answers in sentences is never an exact match;
 * - boolean: accuracy; of yes and no what spans have as well, as they count in HotpotQA's EM: the
 *   answer is in one that takes its side, so that "no evidence" has no "no" in it. A claim that is
 *   true or false is answered in other words too ("supports"), so that accuracy alone applies;
 * - label: accuracy;
 * - list: QAMPARI's scores;
 * - long: STR-EM over answer groups; over reference texts ROUGE-L as ALCE and KILT have it and
 *   unstemmed; else F1 and KILT's ROUGE-L over the answers, as for dialogue;
 * - what spans have for one that its data set calls unanswerable, as SQuAD 2.0 scores it: 1 for an
 *   answer that says that there is none, else 0. Its mean EM is thus the share left unanswered;
 * - none for a question that its data set says no answer to.
 *
 * Where EM applies has-answer does, so that of any mixture of kinds its mean is not the lower one.
 */
export function scoreAnswer(reference: Reference, answer: string): AnswerScores {
  const { answers, answerKind, answerGroups } = reference;
  const prediction = withoutCitations(answer) || answer;
  if (reference.answerable === false) return scoreUnanswerable(saysUnknown(prediction));
  if (!hasReference(reference)) return {};
  switch (answerKind) {
    case 'span':
      return {
        em: exactMatch(prediction, answers),
        f1: tokenF1(prediction, answers),
        hasAnswer: containsAccepted(prediction, answers),
      };
    case 'boolean': {
      const accuracy = labelAccuracy(prediction, answers);
      if (!answers.some(isYesOrNo)) return { accuracy };
      const em = exactMatch(prediction, answers);
      const f1 = tokenF1(prediction, answers, 'hotpotqa');
      return { accuracy, em, f1, hasAnswer: Math.max(em, accuracy) };
    }
    case 'label':
      return { accuracy: labelAccuracy(prediction, answers) };
    case 'list': {
      const list = listScores(answer, answerGroups ?? answers.map((answer) => [answer]));
      return {
        listPrecision: list.precision,
        listRecall: list.recall,
        listF1: list.f1,
        listRecall5: list.recall5,
        listF1At5: list.f1At5,
      };
    }
    case 'long':
      return scoreText(reference, prediction);
  }
}

function hasReference({ answers, answerGroups, longAnswers }: Reference): boolean {
  return answers.length > 0 || answerGroups !== undefined || longAnswers !== undefined;
}

function scoreUnanswerable(left: boolean): AnswerScores {
  const score = left ? 1 : 0;
  return { em: score, f1: score, hasAnswer: score };
}

function scoreText({ answers, answerGroups, longAnswers }: Reference, text: string): AnswerScores {
  const short = answerGroups && shortAnswerRecall(text, answerGroups);
  const isReply = !short && !longAnswers && answers.length > 0;
  return {
    ...(short && { strEm: short.recall, strHit: short.hit }),
    ...(longAnswers && {
      rougeLsum: rougeLsum(text, longAnswers),
      rougeL: rougeL(text, longAnswers),
      rougeLKilt: rougeLKilt(text, longAnswers),
    }),
    ...(isReply && { f1: tokenF1(text, answers), rougeLKilt: rougeLKilt(text, answers) }),
  };
}

function isYesOrNo(answer: string): boolean {
  return ['yes', 'no'].includes(answer.trim().toLowerCase());
}

/**
 * The scores of a question without an answer: 0, but where the method says that it does not know
 * and that is right: of a question that has no answer, of a claim on which the verdict is FEVER's
 * NOT ENOUGH INFO, and where that there is no answer is one of the accepted ones ("none",
 * "unanswerable"): that one it is then taken to have said.
 */
export function scoreNoAnswer(reference: Reference, outcome: Outcome): AnswerScores {
  const { answers, answerKind, answerable } = reference;
  if (answerable === false) return scoreUnanswerable(outcome === 'unknown');
  if (outcome === 'unknown') {
    if (answerKind === 'label') return { accuracy: labelAccuracy('unknown', answers) };
    const accepted = SHORT.has(answerKind) ? answers.find(saysNone) : undefined;
    if (accepted !== undefined) return scoreAnswer(reference, accepted);
  }
  const applying = Object.keys(scoreAnswer(reference, ''));
  return Object.fromEntries(applying.map((metric) => [metric, 0]));
}

/** Kinds whose accepted answers are what an answer says, and not texts that may say it too. */
const SHORT: ReadonlySet<AnswerKind> = new Set(['span', 'boolean']);

/** Whether an accepted answer is that there is none, as data sets write it. */
function saysNone(answer: string): boolean {
  return saysUnknown(answer) || /^\W*(?:cannot|no)[\s_-]*answer\b/i.test(answer);
}

export interface PassageScores {
  /** Whether each passage contains an answer. */
  hits: boolean[];
  /** Recall@k by k. */
  recall: Record<number, number>;
  /** Answers found in any of the passages, and answers there are. */
  coverage: { found: number; answers: number };
}

/**
 * How much of the answers the passages hold; undefined where containment says nothing: for yes/no
 * questions and labels, without answers, and where the answer is that there is none.
 *
 * @param texts Best first, without titles.
 */
export function scorePassages(
  { answers, answerKind, answerGroups }: Reference,
  texts: readonly string[],
  depths: readonly number[] = [1, 5, 10, 20, 100],
): PassageScores | undefined {
  if (answerKind === 'boolean' || answerKind === 'label' || answers.every(saysNone)) {
    return undefined;
  }
  const hits = texts.map((text) => hasAnswer(text, answers));
  return {
    hits,
    recall: Object.fromEntries(depths.map((k) => [k, recallAt(k, hits)])),
    coverage: answerCoverage(texts, answerGroups ?? answers.map((answer) => [answer])),
  };
}
