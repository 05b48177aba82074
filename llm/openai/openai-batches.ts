/**
 * The batch interface on the `openai` package: /files and /batches of any endpoint that has them.
 */
import { toFile } from 'openai';
import type { Failure } from '../../core/failure.js';
import { refuseSecrets } from '../../core/options/extra-body.js';
import type { BatchEndpoint, BatchStatus, RefusedPart } from '../batch-endpoint.js';
import { ANSWER_BYTES, answerLimit } from '../bounded-fetch.js';
import type { CompletionRequest } from '../language-model.js';
import type { ModelHabits } from '../model-habits.js';
import { failure } from '../provider-failure.js';
import { limitFor, type SentLimit } from '../refused-limit.js';
import { ALL_SENT, type Refusable } from '../refused-parameter.js';
import { TimedOut, withTimeout } from '../with-timeout.js';
import {
  batchMark,
  checkMark,
  MARK_FIELD,
  readLine,
  readStatus,
  refusableOf,
  requestLine,
} from './batch-lines.js';
import { knownRefusals, unsupportedOf } from './chat-completion.js';
import { classifyError, providerAnswer } from './classify-error.js';
import type { EndpointClient } from './client.js';

/** OpenAI's limits. Elsewhere half of its bytes, since Together accepts 100 MB. */
const OPENAI_LIMITS = { requests: 50_000, bytes: 200_000_000 };
const OTHER_LIMITS = { requests: 50_000, bytes: 100_000_000 };

/** Timeouts: requests about a batch are short, files take longer. */
const ANSWER_MS = 60_000;
const FILE_MS = 1_800_000;

/** Limit of an answer file: 200 kB for each request. It is read line by line, never as a whole. */
const ANSWERS_BYTES = OPENAI_LIMITS.requests * 200_000;

/** Page size of the list, and most batches searched for a mark: twenty pages. */
const PAGE = 100;
const MOST_LISTED = 2000;

/**
 * Returns the batch interface of an endpoint. No request is repeated after a failure. `find`
 * searches the newest 2,000 batches.
 *
 * @param habits What this process has observed of the endpoint's models, such as refused
 * parameters.
 * @example const batches = createOpenAiBatches(createEndpointClient(options, 'chat'), habits);
 */
export function createOpenAiBatches(
  { client, endpoint, pricing, contextOf }: EndpointClient,
  habits: ModelHabits,
): BatchEndpoint {
  const context = (model = 'batch', timeoutMs = ANSWER_MS) => contextOf(model, { timeoutMs });

  /**
   * Makes one request with a timeout, and returns its result.
   *
   * @throws Failure of the provider or the connection; the signal's reason once it has fired.
   */
  async function classifying<T>(
    signal: AbortSignal,
    call: (signal: AbortSignal) => Promise<T>,
    timeoutMs = ANSWER_MS,
  ): Promise<T> {
    try {
      return await withTimeout(timeoutMs, signal, call);
    } catch (error) {
      signal.throwIfAborted();
      throw classified(error, timeoutMs);
    }
  }

  /**
   * Returns the failure for an error. A 404 is about a path, batch or file, not about the model.
   */
  function classified(error: unknown, timeoutMs: number): Failure {
    const known = context('batch', timeoutMs);
    const answer = providerAnswer(error);
    if (answer?.http !== 404) return classifyError(error, known);
    return failure('Incompatible', known, {
      status: 404,
      reply: answer.message,
      cause: error,
      what: `${known.provider} has no /files and /batches, or knows no such batch or file`,
    });
  }

  async function status(signal: AbortSignal, call: (signal: AbortSignal) => Promise<unknown>) {
    return readStatus(await classifying(signal, call), context());
  }

  function limitOf(request: CompletionRequest, without: readonly RefusedPart[]): SentLimit {
    const refused = refusedBy(request.model, without);
    const most = Math.min(...without.map((one) => (typeof one === 'string' ? Infinity : one.most)));
    // What this worker has learned is left out, so that all workers write the same lines.
    return limitFor(request, habits.allowanceFor(request.thinks, refused), { most });
  }

  function refusedBy(model: string, without: readonly RefusedPart[]): ReadonlySet<Refusable> {
    return new Set([...knownRefusals(model, endpoint.isOpenAi), ...refusableOf(without)]);
  }

  /** Returns the newest batch with a mark among the listed ones; undefined if none has it. */
  async function search(mark: string, signal: AbortSignal): Promise<BatchStatus | undefined> {
    let seen = 0;
    // The list is sorted newest first.
    for await (const batch of client.batches.list({ limit: PAGE }, { signal })) {
      if (batchMark(batch) === mark) return readStatus(batch, context());
      if (++seen >= MOST_LISTED) return undefined;
    }
    return undefined;
  }

  return {
    limits: endpoint.isOpenAi ? OPENAI_LIMITS : OTHER_LIMITS,
    line(id, request, without) {
      refuseSecrets(request, context().secrets);
      const { tokens } = limitOf(request, without);
      return requestLine(id, request, refusedBy(request.model, without), tokens);
    },
    unsupported: (request, without) => unsupportedOf(request, refusedBy(request.model, without)),
    async upload(lines, signal) {
      const file = await toFile(Buffer.from(lines), 'requests.jsonl', {
        type: 'application/jsonl',
      });
      const uploaded = await classifying(
        signal,
        (both) => client.files.create({ file, purpose: 'batch' }, { signal: both }),
        FILE_MS,
      );
      if (typeof uploaded?.id === 'string' && uploaded.id !== '') return uploaded.id;
      throw failure('MalformedResponse', context(), { reply: 'a file without an id' });
    },
    create({ file, mark }, signal) {
      checkMark(mark);
      return status(signal, (both) =>
        client.batches.create(
          {
            input_file_id: file,
            endpoint: '/v1/chat/completions',
            completion_window: '24h',
            metadata: { [MARK_FIELD]: mark },
          },
          { signal: both },
        ),
      );
    },
    find: (mark, signal) => classifying(signal, (both) => search(mark, both)),
    retrieve: (id, signal) =>
      status(signal, (both) => client.batches.retrieve(id, { signal: both })),
    async *download(file, signal) {
      const late = AbortSignal.timeout(FILE_MS);
      // Applies until the end of the body, which may come long after the headers.
      const ended = AbortSignal.any([signal, late]);
      const options = answerLimit(ANSWERS_BYTES);
      const response = await classifying(signal, (both) =>
        client.files.content(file, { signal: AbortSignal.any([both, ended]), ...options }),
      );
      try {
        yield* nonBlankLines(response.body, ended, ANSWER_BYTES);
      } catch (error) {
        signal.throwIfAborted();
        throw classified(late.aborted ? new TimedOut() : error, FILE_MS);
      }
    },
    read(line, model, sent) {
      const limit = sent && limitOf(sent.request, sent.without);
      // The request is not at hand: a refusal names the parameter.
      const asked = { sent: ALL_SENT, ...(limit && { limit }) };
      return readLine(line, { ...context(model), asked }, pricing);
    },
    async cancel(id, signal) {
      try {
        await classifying(signal, (both) => client.batches.cancel(id, { signal: both }));
      } catch (error) {
        signal.throwIfAborted();
        // A batch that has ended cannot be cancelled, and need not be.
        const { state } = await status(signal, (both) =>
          client.batches.retrieve(id, { signal: both }),
        );
        if (state === 'open') throw error;
      }
    },
  };
}

/**
 * Yields each line of a UTF-8 body without its line end, also a last line that has none. Blank
 * lines are left out.
 *
 * @param most Maximum number of characters of a line; the rest of a longer line is skipped, so
 * that one endless line does not affect the others.
 * @throws The signal's reason between two lines.
 */
export async function* nonBlankLines(
  body: AsyncIterable<Uint8Array> | null,
  signal: AbortSignal,
  most: number,
): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = (lines.pop() ?? '').slice(0, most);
    for (const line of lines) {
      signal.throwIfAborted();
      if (line.trim() !== '') yield line.slice(0, most);
    }
  }
  rest = (rest + decoder.decode()).slice(0, most);
  if (rest.trim() !== '') yield rest;
}
