/** The two halves of the questions of a tune: A, which is searched on, and B, which confirms. */
import type { DatasetRecord } from '../../core/dataset-record.js';
import { sha256Of } from '../../core/sha256.js';
import { inHashOrder } from '../dataset/hash-order-sample.js';

/** A half of the questions of a tune: A is for the search, B for the confirmation. */
export type Half = 'A' | 'B';

type Asked = Pick<DatasetRecord, 'fields' | 'id' | 'question'>;

/**
 * Returns what tells a question from others, wherever it stands: a hash of its text alone. Neither its
 * id, its file nor its gold answers make another question of it.
 */
export function contentOf({ question }: Pick<Asked, 'question'>): string {
  const text = question.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
  return sha256Of(`question|${text}`);
}

/**
 * Returns the half of a question, which its content alone decides: equal questions are in one half,
 * whatever data set they are read from, and each data set falls into two halves of about its own. The
 * questions of a cluster are in the half of the cluster.
 *
 * @param cluster Field whose value the questions of a cluster share.
 */
export function halfOf(question: Asked, cluster?: string): Half {
  const value = cluster === undefined ? '' : (question.fields?.[cluster] ?? '');
  const drawn = value === '' ? contentOf(question) : sha256Of(`cluster|${value}`);
  return Number.parseInt(drawn.charAt(0), 16) < 8 ? 'A' : 'B';
}

/** Returns questions in the order in which a tune asks them: the first so many are a fair sample. */
export function drawnOrder<Q extends Asked>(questions: readonly Q[]): Q[] {
  return inHashOrder(questions, 'tune');
}

/** The parts of half A that candidates are asked, one after the other. */
const RUNGS = [1 / 8, 1 / 4, 1 / 2, 1] as const;

/** Returns how many questions of half A each rung asks, the earlier ones included. */
export function rungsOf(questions: number): number[] {
  return [...new Set(RUNGS.map((share) => Math.ceil(share * questions)))];
}
