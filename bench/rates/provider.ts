/** A model server in a process of its own that holds a rate limit, and fails as providers do. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { serve } from '../speed/remote.js';

export interface ProviderRequest {
  /** Requests a minute from now on, with everything counted anew. */
  limit?: number;
}

export interface ProviderState {
  baseUrl: string;
  /** Requests let in under the limit, faulty ones included. */
  taken: number;
  /** Requests answered with 429. */
  refused: number;
  /** Between the first request and the last one let in, in milliseconds. */
  lastedMs: number;
}

/**
 * How much of the limit may come at once, in seconds. Providers are said to give anything from a
 * second's to a minute's worth.
 */
const BURST_SECONDS = 5;
/** How long a call takes that is answered. */
const LATENCY_MS = 300;
/** Every tenth request let in meets one of these, in turn. */
const FAULT_EVERY = 10;
const FAULTS = ['500', '503', 'hang', 'reset', 'malformed'] as const;

let bucket = { limit: 60, tokens: 1, at: 0 };
let counts = freshCounts();
let baseUrl = '';

function freshCounts() {
  return { taken: 0, faulty: 0, refused: 0, firstAt: 0, lastAt: 0 };
}

const server = createServer(async (request, response) => {
  const body = await text(request).catch(() => undefined);
  if (body === undefined) return;
  const { model } = JSON.parse(body);
  const now = performance.now();
  counts.firstAt ||= now;
  const waitMs = waitFor(now);
  if (waitMs > 0) {
    counts.refused++;
    const headers = { 'retry-after-ms': String(Math.ceil(waitMs)) };
    return answer(response, 429, { error: { message: 'Rate limit reached' } }, headers);
  }
  counts.taken++;
  counts.lastAt = now;
  if (counts.taken % FAULT_EVERY === 0) return fail(response);
  setTimeout(() => answer(response, 200, completion(model)), LATENCY_MS);
});

/** Takes one from the bucket; else says when there will be one. */
function waitFor(now: number): number {
  const perMs = bucket.limit / 60_000;
  const full = perMs * BURST_SECONDS * 1000;
  const tokens = Math.min(full, bucket.tokens + (now - bucket.at) * perMs);
  bucket = { ...bucket, tokens: tokens >= 1 ? tokens - 1 : tokens, at: now };
  return tokens >= 1 ? 0 : (1 - tokens) / perMs;
}

function fail(response: ServerResponse): void {
  const fault = FAULTS[counts.faulty++ % FAULTS.length];
  if (fault === 'hang') return;
  if (fault === 'reset') response.destroy();
  else if (fault === 'malformed') response.end('<html>');
  else answer(response, Number(fault), { error: { message: 'The server had an error' } });
}

function completion(model: string) {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model,
    choices: [
      { index: 0, message: { role: 'assistant', content: 'Otto Renner' }, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 3 },
  };
}

function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

server.listen(0, '127.0.0.1', () => {
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  serve<ProviderRequest, ProviderState>(
    ({ limit }) => {
      if (limit !== undefined) {
        bucket = { limit, tokens: (limit * BURST_SECONDS) / 60, at: performance.now() };
        counts = freshCounts();
      }
      const { taken, refused, firstAt, lastAt } = counts;
      return { baseUrl, taken, refused, lastedMs: lastAt - firstAt };
    },
    () => {},
  );
});
