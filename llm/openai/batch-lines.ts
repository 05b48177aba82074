/** Lines of batch files, and the status of batches. Pure. */

import { parseJson } from '../../core/canonical-json.js';
import { Failure } from '../../core/failure.js';
import type { BatchAnswer, BatchStatus, RefusedPart } from '../batch-endpoint.js';
import { readError } from '../error-answer.js';
import type { RequestChange } from '../error-table.js';
import type { CompletionRequest } from '../language-model.js';
import type { Pricing } from '../prices.js';
import { type CallContext, classifyAnswer, failure, PartRefused } from '../provider-failure.js';
import { REFUSABLE, type Refusable } from '../refused-parameter.js';
import { countOrZero, fields, nonEmptyText } from '../response-fields.js';
import { readCompletion, toBody } from './chat-completion.js';
import { classifyError } from './classify-error.js';

/**
 * Returns the line of a request in a batch file, without its line end. The parameters that the
 * model refuses and the tier are left out.
 *
 * @param id Id of the request, which its answer repeats.
 * @param limit Token limit, for thoughts and answer together.
 */
export function requestLine(
  id: string,
  request: CompletionRequest,
  refused: ReadonlySet<Refusable>,
  limit: number,
): string {
  // Batches are a tier of their own.
  const { tier: _, ...usual } = request;
  const body = toBody(usual, refused, limit);
  return JSON.stringify({ custom_id: id, method: 'POST', url: '/v1/chat/completions', body });
}

/**
 * Returns the answer in a line of a batch's output or error file: the `id` of its request with the
 * `completion`, with the `failure` (and the part of the request that the model `refused`, if any),
 * or with the provider's code as `unasked` if the batch ended before the request was made.
 * Undefined if the line contains no request id.
 */
export function readLine(
  line: string,
  context: CallContext,
  pricing: Pricing,
): BatchAnswer | undefined {
  const parsed = fields(parseJson(line));
  const id = parsed.custom_id;
  if (typeof id !== 'string' || id === '') return undefined;
  const error = fields(parsed.error);
  const code = String(error.code ?? '');
  if (code === 'batch_expired' || code === 'batch_cancelled') return { id, unasked: code };
  if (code === 'request_timeout') return { id, failure: failure('Timeout', context) };
  const { status_code, body } = fields(parsed.response);
  const status = Number(status_code ?? 0);
  try {
    if (status >= 200 && status < 300) {
      return { id, completion: readCompletion(body, context, pricing, 'batch') };
    }
    throw classifyAnswer(readError(body ?? error, status < 400 ? 200 : status), context);
  } catch (thrown) {
    const failed = classifyError(thrown, context);
    const { change } = failed instanceof PartRefused ? failed : {};
    return { id, failure: failed, ...(change && { refused: refusedBy(change) }) };
  }
}

/** Returns the part that a change leaves out or lowers, in the form of the batch interface. */
function refusedBy(change: RequestChange): RefusedPart {
  return 'without' in change ? change.without : { most: change.limit.most };
}

/**
 * Returns the parameters among the refused parts that this adapter can leave out; token limits are
 * not included.
 */
export function refusableOf(names: readonly RefusedPart[]): Refusable[] {
  return REFUSABLE.filter((name) => names.includes(name));
}

/** States by their names in lower case; some servers have names of their own. */
const STATES: Readonly<Record<string, BatchStatus['state']>> = {
  completed: 'completed',
  success: 'completed',
  failed: 'failed',
  error: 'failed',
  expired: 'expired',
  timeout_exceeded: 'expired',
  cancelled: 'cancelled',
  canceled: 'cancelled',
};

/**
 * Returns the status of a batch from the body of an answer. An unknown state counts as "open".
 *
 * @throws Failure MalformedResponse if the body is not a batch.
 */
export function readStatus(body: unknown, context: CallContext): BatchStatus {
  const batch = fields(body);
  if (typeof batch.id !== 'string' || typeof batch.status !== 'string') {
    throw failure('MalformedResponse', context, { reply: 'a batch without an id or a status' });
  }
  const counts = fields(batch.request_counts);
  return {
    id: batch.id,
    state: STATES[batch.status.toLowerCase()] ?? 'open',
    output: nonEmptyText(batch.output_file_id) ?? null,
    errors: nonEmptyText(batch.error_file_id) ?? null,
    counts: {
      total: countOrZero(counts.total),
      completed: countOrZero(counts.completed),
      failed: countOrZero(counts.failed),
    },
    problems: problemsOf(fields(batch.errors).data),
  };
}

function problemsOf(data: unknown): BatchStatus['problems'] {
  if (!Array.isArray(data)) return [];
  return data.map(fields).map(({ code, message, line }) => ({
    code: String(code ?? ''),
    message: String(message ?? ''),
    line: typeof line === 'number' ? line : null,
  }));
}

/**
 * Returns the mark in a batch's metadata, by which `find` recognises it; undefined if it has none.
 */
export function batchMark(body: unknown): unknown {
  return fields(fields(body).metadata)[MARK_FIELD];
}

/**
 * Key in a batch's metadata for its mark, the text by which `find` recognises a batch that
 * `create` made.
 */
export const MARK_FIELD = 'durable_rag';

/**
 * Checks that the mark of a batch is a text that every endpoint accepts whole: 1 to 64 letters,
 * digits, "_" or "-".
 *
 * @throws Failure BadInput if it is not.
 */
export function checkMark(mark: string): void {
  if (/^[\w-]{1,64}$/.test(mark)) return;
  throw new Failure(
    'BadInput',
    `The mark of a batch must have 1 to 64 letters, digits, "_" or "-": ${mark}`,
  );
}
