/** Which metrics apply to a question, and what an answer scores in them. Pure. */
import type { DatasetRecord } from './dataset/record.js';
import { hasAnswer } from './has-answer.js';
import { exactMatch } from './metrics/exact-match.js';
import { labelAccuracy } from './metrics/fact-label.js';
import { listScores } from './metrics/list-answers.js';
import { answerCoverage, recallAt } from './metrics/retrieval-recall.js';
import { rougeL } from './metrics/rouge-l.js';
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
 * an empty prediction tells what applies, and 0 is the score of a question without an answer.
 *
 * - span: EM and F1, and whether the answer has one of those asked for in it, since a method that
 *   answers in sentences is never an exact match;
 * - boolean: accuracy, EM and F1, as yes/no questions count in HotpotQA's EM;
 * - label: accuracy;
 * - list: QAMPARI's scores;
 * - long: STR-EM over answer groups, ROUGE-L over reference texts, else F1 and ROUGE-L over the
 *   answers, as for dialogue;
 * - none for a question that its data set calls unanswerable: the outcomes tell how it ended.
 */
export function scoreAnswer(reference: Reference, prediction: string): AnswerScores {
  const { answers, answerKind, answerGroups, longAnswers } = reference;
  if (reference.answerable === false) return {};
  switch (answerKind) {
    case 'span':
      return {
        em: exactMatch(prediction, answers),
        f1: tokenF1(prediction, answers),
        hasAnswer: Number(hasAnswer(prediction, answers)),
      };
    case 'boolean':
      return {
        accuracy: labelAccuracy(prediction, answers),
        em: exactMatch(prediction, answers),
        f1: tokenF1(prediction, answers),
      };
    case 'label':
      return { accuracy: labelAccuracy(prediction, answers) };
    case 'list': {
      const list = listScores(prediction, answerGroups ?? answers.map((answer) => [answer]));
      return {
        listPrecision: list.precision,
        listRecall: list.recall,
        listF1: list.f1,
        listRecall5: list.recall5,
        listF1At5: list.f1At5,
      };
    }
    case 'long': {
      const short = answerGroups && shortAnswerRecall(prediction, answerGroups);
      const isReply = !short && !longAnswers && answers.length > 0;
      return {
        ...(short && { strEm: short.recall, strHit: short.hit }),
        ...(longAnswers && { rougeL: rougeL(prediction, longAnswers) }),
        ...(isReply && { f1: tokenF1(prediction, answers), rougeL: rougeL(prediction, answers) }),
      };
    }
  }
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
 * questions and labels, and without answers.
 *
 * @param texts Best first, without titles.
 */
export function scorePassages(
  { answers, answerKind, answerGroups }: Reference,
  texts: readonly string[],
  depths: readonly number[] = [1, 5, 10, 20, 100],
): PassageScores | undefined {
  if (answerKind === 'boolean' || answerKind === 'label' || answers.length === 0) return undefined;
  const hits = texts.map((text) => hasAnswer(text, answers));
  return {
    hits,
    recall: Object.fromEntries(depths.map((k) => [k, recallAt(k, hits)])),
    coverage: answerCoverage(texts, answerGroups ?? answers.map((answer) => [answer])),
  };
}
