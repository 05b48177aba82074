/**
 * Divides the questions of a tune into half A for the search and half B for the confirmation. Pure.
 */
import type { DatasetRecord } from '../../core/dataset-record.js';
import { sha256Of } from '../../core/sha256.js';
import { inHashOrder } from '../dataset/hash-order-sample.js';

/** A half of the questions of a tune: A is for the search, B for the confirmation. */
type Half = 'A' | 'B';

type Asked = Pick<DatasetRecord, 'fields' | 'id' | 'question'>;

/**
 * Returns the SHA-256, in hexadecimal, of a question's text, ignoring case and how much white space
 * is between words. Questions with the same text have the same hash in any data set.
 */
export function questionHash({ question }: Pick<Asked, 'question'>): string {
  const text = question.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
  return sha256Of(`question|${text}`);
}

/**
 * Returns the key of the draw to which a question belongs, a SHA-256 in hexadecimal of its
 * cluster's value or, if it has none, of its text. Questions with the same key count as one draw,
 * in any data set.
 *
 * @param cluster Field whose value the questions of a cluster share.
 */
export function drawKey(question: Asked, cluster?: string): string {
  const value = cluster === undefined ? '' : (question.fields?.[cluster] ?? '');
  return value === '' ? questionHash(question) : sha256Of(`cluster|${value}`);
}

/**
 * Returns the half to which a question belongs: A, on which a tune searches, or B, on which it
 * confirms. All questions of one draw (see `drawKey`) are in the same half, in any data set.
 */
export function halfOf(question: Asked, cluster?: string): Half {
  return Number.parseInt(drawKey(question, cluster).charAt(0), 16) < 8 ? 'A' : 'B';
}

/**
 * Returns questions in the order in which a tune asks them, in a new array. The order is
 * pseudo-random and always the same, so the first ones are a random sample.
 */
export function drawnOrder<Q extends Asked>(questions: readonly Q[]): Q[] {
  return inHashOrder(questions, 'tune');
}

/** Fractions of half A that candidates have been asked at the end of each rung. */
const RUNGS = [1 / 8, 1 / 4, 1 / 2, 1] as const;

/**
 * Returns the numbers of questions that candidates have been asked at the end of each round of the
 * search, ascending: an eighth, a quarter, half and all of half A, rounded up, without repeats.
 *
 * @param questions Number of questions in half A.
 */
export function rungsOf(questions: number): number[] {
  return [...new Set(RUNGS.map((share) => Math.ceil(share * questions)))];
}
