/** The two halves of a tune's questions: A for the search, B for the confirmation. */
import type { DatasetRecord } from '../../core/dataset-record.js';
import { sha256Of } from '../../core/sha256.js';
import { inHashOrder } from '../dataset/hash-order-sample.js';

/** A half of the questions of a tune: A is for the search, B for the confirmation. */
type Half = 'A' | 'B';

type Asked = Pick<DatasetRecord, 'fields' | 'id' | 'question'>;

/**
 * Returns the sha256 of a question's text, ignoring case and white space. Its id, its file and its
 * gold
 * answers do not matter.
 */
export function questionHash({ question }: Pick<Asked, 'question'>): string {
  const text = question.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
  return sha256Of(`question|${text}`);
}

/**
 * Returns what names the draw that a question belongs to: its cluster, or else its text. Equal
 * questions are one draw, wherever they are read from.
 *
 * @param cluster Field whose value the questions of a cluster share.
 */
export function drawOf(question: Asked, cluster?: string): string {
  const value = cluster === undefined ? '' : (question.fields?.[cluster] ?? '');
  return value === '' ? questionHash(question) : sha256Of(`cluster|${value}`);
}

/** Returns the half of a question, which depends on its draw alone. */
export function halfOf(question: Asked, cluster?: string): Half {
  return Number.parseInt(drawOf(question, cluster).charAt(0), 16) < 8 ? 'A' : 'B';
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

/** Returns the number of questions of half A that each rung asks, including the earlier rungs'. */
export function rungsOf(questions: number): number[] {
  return [...new Set(RUNGS.map((share) => Math.ceil(share * questions)))];
}
