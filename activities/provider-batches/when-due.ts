/** Decides when a batch is made and which requests go into it. Pure. */
import { createHash } from 'node:crypto';
import { Failure } from '../../core/failure.js';
import type { BatchAnswer, BatchLimits, BatchStatus } from '../../llm/batch-endpoint.js';
import type { Completion, CompletionRequest } from '../../llm/language-model.js';
import { tokensInBytes } from '../../workflows/provider-batches/collector.js';
import type { ListedRecord } from './pool.js';

/**
 * The conditions on which a batch is made: the shortest wait, in seconds, and the smallest number
 * of requests that any of its waiters asks for.
 */
export interface BatchTrigger {
  /** Time that the oldest request waits before a batch is made, in seconds. */
  waitSeconds: number;
  /** Number of waiting requests at which a batch is made at once, and the most requests in it. */
  size: number;
}

/** Capacity for another batch at the endpoint. */
interface SpareCapacity {
  /**
   * Maximum number of tokens that may be added to those of current batches; null if the endpoint
   * named no limit.
   */
  tokens: number | null;
  /** Whether no other batch is under way. */
  isAlone: boolean;
}

/** The longest time a batch waits for a wave of requests to end, as a multiple of its wait. */
const LONGEST_WAITS = 5;
/** A wave is still coming in if its last request is younger than this share of the wait. */
const QUIET = 1 / 4;

/**
 * Returns whether a batch of the waiting requests is to be made now. It is if `size` requests wait,
 * or if the oldest has waited for `waitSeconds` and new ones have stopped coming in, or at the
 * latest after five times `waitSeconds`.
 *
 * @param now Time in milliseconds since 1970.
 */
export function isDue(
  waiting: readonly ListedRecord[],
  { waitSeconds, size }: BatchTrigger,
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
 * Returns the ids of the requests for the next batch, oldest first: as many as the batch size, the
 * endpoint's limits and the free token capacity allow, at least one. Empty if no request waits, or
 * if other batches leave too little capacity for the oldest.
 */
export function chooseRequests(
  waiting: readonly ListedRecord[],
  { size }: BatchTrigger,
  limits: BatchLimits,
  { tokens, isAlone }: SpareCapacity,
): string[] {
  const inOrder = [...waiting].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const most = Math.min(size, limits.requests);
  let bytes = 0;
  const taken: string[] = [];
  for (const one of inOrder) {
    bytes += one.bytes;
    const isFull = tokens !== null && tokensInBytes(bytes) > tokens;
    if (isFull && !isAlone) break;
    const isTooMuch = taken.length >= most || bytes > limits.bytes || isFull;
    if (isTooMuch && taken.length > 0) break;
    taken.push(one.id);
  }
  return taken;
}

/**
 * Returns the requests sorted by their prompts, so that equal beginnings are adjacent and a prefix
 * cache can serve them. Does not change the array.
 */
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
 * Returns the mark by which a batch is found at the provider: a hash of its name and its lines, in
 * 40 hexadecimal digits. The name makes it differ from a later batch with the same lines.
 */
export function markOf(batch: string, lines: readonly string[]): string {
  const hash = createHash('sha256').update(batch);
  for (const line of lines) hash.update(line);
  return hash.digest('hex').slice(0, 40);
}

type RequestOutcome =
  | { kind: 'answered'; completion: Completion }
  /** The step fails, as it would have outside a batch. */
  | { kind: 'failed'; failure: Failure }
  /** The request goes into the next batch. `counts` is whether this was a failed attempt. */
  | { kind: 'again'; counts: boolean };

/**
 * Returns what happens to a request after its answer from a batch, as an object whose `kind` is
 * "answered" (its step gets the `completion`), "failed" (its step fails with the `failure`) or
 * "again" (it goes into a later batch; `counts` is whether this was a failed attempt).
 *
 * @param troubles Number of earlier failed attempts.
 * @param attempts Maximum number of attempts, this one included.
 */
export function requestOutcome(
  answer: BatchAnswer,
  troubles: number,
  attempts: number,
): RequestOutcome {
  if ('completion' in answer) return { kind: 'answered', completion: answer.completion };
  // The next batch leaves the refused parameter out.
  if ('unasked' in answer || answer.refused !== undefined) return { kind: 'again', counts: false };
  const { failure } = answer;
  if (!failure.retryable) return { kind: 'failed', failure };
  if (troubles + 1 < attempts) return { kind: 'again', counts: true };
  const message = `${failure.message} Given up after ${troubles + 1} failed attempts.`;
  return { kind: 'failed', failure: new Failure(failure.type, message, { retryable: false }) };
}

/**
 * Returns the answer to a request that has no line in the output of an ended batch: its `id` with
 * a `failure` if the batch was completed, otherwise with the batch's state as `unasked`, since the
 * request was not asked.
 */
export function answerWithoutLine(id: string, { state }: Pick<BatchStatus, 'state'>): BatchAnswer {
  if (state !== 'completed') return { id, unasked: state };
  const message = 'The batch ended without an answer to this.';
  return { id, failure: new Failure('MalformedResponse', message) };
}

/**
 * Returns the answers to the requests of a batch that the provider refused as a whole.
 *
 * @returns `tooMuch` is true if too many tokens were under way, so that a smaller batch is to be
 * made later. `answerTo` returns the answer to one request: that it was not asked if `tooMuch`;
 * otherwise a failure if the provider names its line, or no line at all; otherwise that it was not
 * asked.
 */
export function refusedBatch({ problems }: Pick<BatchStatus, 'problems'>) {
  const tooMuch = problems.some(({ code }) => /token_limit_exceeded/.test(code));
  const lines = new Map<number, Failure>();
  for (const { line, message, code } of problems) {
    if (line === null) continue;
    const reason = `The batch's file was refused for line ${line} (${code}): ${message}`;
    lines.set(line, new Failure('BadRequest', reason));
  }
  const reason = problems.map(({ code, message }) => `${message} (${code})`).join('; ');
  const ofAll = new Failure('Overloaded', `The provider refused the batch. ${reason}`.trim());
  /** @param line Line number, from 1. */
  const answerTo = (id: string, line: number): BatchAnswer => {
    const failure = lines.size > 0 ? lines.get(line) : ofAll;
    return failure && !tooMuch ? { id, failure } : { id, unasked: 'refused' };
  };
  return { tooMuch, answerTo };
}
