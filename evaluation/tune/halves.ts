/** The two halves of a tune's questions: A for the search, B for the confirmation. */
import type { DatasetRecord } from '../../core/dataset-record.js';
import { sha256Of } from '../../core/sha256.js';
import { inHashOrder } from '../dataset/hash-order-sample.js';

/** A half of the questions of a tune: A is for the search, B for the confirmation. */
type Half = 'A' | 'B';

type Asked = Pick<DatasetRecord, 'fields' | 'id' | 'question'>;

/**
 * Returns the sha256 of a question's text, ignoring case and white space. Its id, its file and its
 * gold answers do not matter.
 */
export function questionHash({ question }: Pick<Asked, 'question'>): string {
  const text = question.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
  return sha256Of(`question|${text}`);
}

/**
 * Returns the key of the draw that a question belongs to, a hex SHA-256: of its cluster's value, or
 * without one of its text. Questions with the same key count as one draw, in any data set.
 *
 * @param cluster Field whose value the questions of a cluster share.
 */
export function drawKey(question: Asked, cluster?: string): string {
  const value = cluster === undefined ? '' : (question.fields?.[cluster] ?? '');
  return value === '' ? questionHash(question) : sha256Of(`cluster|${value}`);
}

/** Returns the half of a question, which depends on its draw alone. */
export function halfOf(question: Asked, cluster?: string): Half {
  return Number.parseInt(drawKey(question, cluster).charAt(0), 16) < 8 ? 'A' : 'B';
}

/**
 * Returns questions in the order in which a tune asks them, so that the first ones are a random
 * sample.
 */
export function drawnOrder<Q extends Asked>(questions: readonly Q[]): Q[] {
  return inHashOrder(questions, 'tune');
}

/** Shares of half A that candidates are asked, one rung after the other. */
const RUNGS = [1 / 8, 1 / 4, 1 / 2, 1] as const;

/**
 * Returns how many questions each round (rung) of a tune's search has asked by its end: an eighth, a
 * quarter, half and all of half A, without repeats.
 */
export function rungsOf(questions: number): number[] {
  return [...new Set(RUNGS.map((share) => Math.ceil(share * questions)))];
}
