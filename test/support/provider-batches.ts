/** Runs whose model calls go by batch, on the real Temporal server, to a provider of the test. */

import { randomUUID } from 'node:crypto';
import { RequestPool } from '../../activities/provider-batches/pool.js';
import type { RunInput } from '../../core/run/input.js';
import { createOpenAiModel } from '../../llm/openai/openai-model.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { type BatchServerOptions, startBatchServer } from './batch-server.js';
import { setUpRun } from './run.js';
import { afterTest } from './side-by-side.js';
import { telephoneReply } from './telephone.js';

/** A batch costs half. */
const half = { prompt: 1, cachedPrompt: 1, completion: 1 };
export const PRICES = new Map([['m', { prompt: 2, cachedPrompt: 2, completion: 2, batch: half }]]);

/** What the provider says to a prompt of SuRe about the telephone, or of base. */
export const replyTo: BatchServerOptions['reply'] = ({ messages }) => ({
  text: telephoneReply(messages.map(({ content }) => content).join('\n')).text,
});

/** Batches are made within a second or so. */
export const SOON = { waitSeconds: 1, size: 1000, patienceSeconds: 3600 };

/**
 * Workers, a provider, a data set of so many questions, and the input of a run of its own.
 *
 * @param more Of each question in the data set, by its number.
 */
export async function setUpBatching(
  questions: number,
  options: Partial<BatchServerOptions> = {},
  input: Partial<RunInput> = {},
  provider = `provider-${randomUUID()}`,
  more?: (number: number) => object,
) {
  const server = await startBatchServer({ reply: replyTo, durationMs: 500, ...options });
  afterTest(() => server.close());
  const { batches, ...one } = createOpenAiModel({
    baseUrl: server.baseUrl,
    timeoutMs: 30_000,
    prices: PRICES,
  });
  const model = { ...one, provider };
  const store = new MemoryStore();
  const pool = new RequestPool(store);
  const changes = {
    llm: model,
    prices: PRICES,
    defaultModel: 'm',
    batching: { endpoint: batches, pool },
  };
  const all = { transport: SOON, ...input };
  const set = await setUpRun(questions, () => '', all, more, changes);
  /** How often a request was paid, the most. */
  const paidMost = () => Math.max(0, ...server.book.paid.values());
  return { ...set, server, pool, store, paidMost };
}
