/** A model server of one test, and what an endpoint is made of beside its address. */
import { onTestFinished } from 'vitest';
import { loadPrices } from '../../llm/prices.js';
import { type ModelServer, type ReplySpec, startModelServer } from '../support/model-server.js';

export const KEY = 'test-key-1234567890';

export const USUAL = { apiKey: KEY, timeoutMs: 10_000, prices: await loadPrices() };

/** Gives these replies in turn, and the last one for ever. */
export async function serverThatGives(...replies: ReplySpec[]): Promise<ModelServer> {
  const server = await startModelServer({
    reply: (_, n) => replies[Math.min(n, replies.length - 1)] ?? 'reset',
  });
  onTestFinished(() => server.close());
  return server;
}
