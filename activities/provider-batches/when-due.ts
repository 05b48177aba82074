/** When a batch is made, and of what. Pure. */
import { createHash } from 'node:crypto';
import type { BatchLimits } from '../../llm/batch-endpoint.js';
import type { CompletionRequest } from '../../llm/language-model.js';
import { tokensOf } from '../../workflows/provider-batches/collector.js';
import type { Listed } from './pool.js';

/** What those who wait have said of it; the most impatient of them decides. */
export interface Wish {
  waitSeconds: number;
  size: number;
}

export interface Room {
  /** Beside those under way, as far as it has said; null where it has not. */
  tokens: number | null;
  /** No other batch is under way. */
  isAlone: boolean;
}

/** A batch waits for a wave that still comes in, for up to so many times its wait. */
const LONGEST_WAITS = 5;
/** A wave still comes in where its last request is younger than this share of the wait. */
const QUIET = 1 / 4;

/** Tells whether it is time for a batch of those that wait. */
export function isDue(
  waiting: readonly Listed[],
  { waitSeconds, size }: Wish,
  now: number,
): boolean {
  if (waiting.length === 0) return false;
  if (waiting.length >= size) return true;
  const wait = waitSeconds * 1000;
  const oldest = now - Math.min(...waiting.map(({ at }) => at));
  const youngest = now - Math.max(...waiting.map(({ at }) => at));
  return oldest >= wait && (youngest >= wait * QUIET || oldest >= wait * LONGEST_WAITS);
}

/**
 * Those that go into the next batch: the oldest first, as many as the wish, the endpoint's limits
 * and the tokens that may be under way allow; one at least, unless it has to wait for another batch.
 */
export function chosen(
  waiting: readonly Listed[],
  { size }: Wish,
  limits: BatchLimits,
  { tokens, isAlone }: Room,
): string[] {
  const inOrder = [...waiting].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const most = Math.min(size, limits.requests);
  let bytes = 0;
  const taken: string[] = [];
  for (const one of inOrder) {
    bytes += one.bytes;
    const isFull = tokens !== null && tokensOf(bytes) > tokens;
    if (isFull && !isAlone) break;
    const isTooMuch = taken.length >= most || bytes > limits.bytes || isFull;
    if (isTooMuch && taken.length > 0) break;
    taken.push(one.id);
  }
  return taken;
}

/** Requests whose prompts begin alike stand beside each other, so that a prefix cache can serve. */
export function byPrefix<R extends { id: string; request: CompletionRequest }>(
  requests: readonly R[],
): R[] {
  const text = ({ request }: R) => request.messages.map(({ content }) => content).join('\n');
  return requests
    .map((one) => ({ one, text: text(one) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : a.one.id < b.one.id ? -1 : 1))
    .map(({ one }) => one);
}

/**
 * Returns the mark of a batch: the hash of its content, and of which batch it is, since what a
 * batch did not answer may be asked once more in the same words.
 */
export function markOf(batch: string, lines: readonly string[]): string {
  const hash = createHash('sha256').update(batch);
  for (const line of lines) hash.update(line);
  return hash.digest('hex').slice(0, 40);
}
