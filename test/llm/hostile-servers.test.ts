import { createServer, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Failure } from '../../core/failure.js';
import { aiSdkModel } from '../../llm/ai-sdk/index.js';
import { inChunks } from '../../llm/bounded-fetch.js';
import { nonBlankLines } from '../../llm/openai/openai-batches.js';
import { createOpenAiEmbeddings } from '../../llm/openai/openai-embeddings.js';
import { createOpenAiModel } from '../../llm/openai/openai-model.js';
import { connectElasticsearch } from '../../retrieval/elasticsearch/connection.js';
import { httpRetriever } from '../../retrieval/http/http-retriever.js';
import { boundedFetch } from '../../workers/ports.js';
import { never, requestOf } from '../support/completion.js';
import { listening, serve } from '../support/listening.js';

/** A `drip` is a byte now and then. */
type Hostility = 'flood' | 'flooded error' | 'bomb' | 'drip' | { redirect: string; status: number };

/** An end after all, so that a client without a bound fails its test and not the machine. */
const MOST_BYTES = 400_000_000;
const DRIP_MS = 20;

const HEADERS = {
  'content-type': 'application/json',
  'x-elastic-product': 'Elasticsearch',
};

async function startHostileServer(how: Hostility) {
  let sent = 0;
  const server = createServer((incoming, response) => {
    incoming.resume();
    incoming.on('end', () => answer(response));
  });

  function answer(response: ServerResponse): void {
    response.on('error', () => {});
    if (typeof how === 'object') {
      response.writeHead(how.status, { ...HEADERS, location: how.redirect });
      return void response.end('{"error":{"message":"of the one that sends elsewhere"}}');
    }
    const status = how === 'flooded error' ? 500 : 200;
    const packed = how === 'bomb' ? { 'content-encoding': 'gzip' } : {};
    response.writeHead(status, { ...HEADERS, ...packed });
    response.write(how === 'bomb' ? gzipSync('{"text":"') : '{"text":"');
    if (how === 'drip') drip(response);
    else flood(response);
  }

  function flood(response: ServerResponse): void {
    const plain = Buffer.alloc(1_000_000, 'x');
    const block = how === 'bomb' ? gzipSync(plain) : plain;
    let left = MOST_BYTES / plain.length;
    const more = () => {
      while (!response.destroyed && left > 0) {
        left -= 1;
        sent += block.length;
        if (!response.write(block)) return void response.once('drain', more);
      }
      response.destroy();
    };
    more();
  }

  function drip(response: ServerResponse): void {
    const timer = setInterval(() => response.write('x'), DRIP_MS);
    response.on('close', () => clearInterval(timer));
  }

  const { address, close } = await listening(server);
  return {
    url: `http://${address}`,
    /** Bytes of bodies that were handed to the connection. */
    get sent() {
      return sent;
    },
    close,
  };
}

const TIMEOUT_MS = 60_000;
const prices = new Map();
const request = requestOf('Why?');

interface Way {
  ask(url: string, timeoutMs: number): Promise<unknown>;
  /** What a status of 500 with an endless text ends as. */
  error: string;
}

const ways: Record<string, Way> = {
  chat: {
    error: 'Overloaded',
    ask: (baseUrl, timeoutMs) =>
      createOpenAiModel({ baseUrl, timeoutMs, prices }).complete(request, never()),
  },
  'the AI SDK, with the bounded fetch': {
    error: 'Overloaded',
    ask: (baseURL, timeoutMs) => {
      const made = createOpenAICompatible({ name: 'own', baseURL, fetch: boundedFetch() });
      return aiSdkModel((name) => made(name), { provider: 'own' }).complete(
        request,
        AbortSignal.timeout(timeoutMs),
      );
    },
  },
  embeddings: {
    error: 'Overloaded',
    ask: (baseUrl, timeoutMs) =>
      createOpenAiEmbeddings({ baseUrl, model: 'm', timeoutMs, prices }).embed(['a'], never()),
  },
  'a search service': {
    error: 'Unexpected',
    ask: (url, timeoutMs) => httpRetriever({ url, timeoutMs }).search('q', 3),
  },
  Elasticsearch: {
    error: 'AnswerTooLong',
    async ask(url, requestTimeout) {
      const connection = await connectElasticsearch({ url });
      onTestFinished(() => connection.close());
      return connection.request((client) => client.search({}, { requestTimeout }));
    },
  },
};

/** What came of it, and by how many MB the process grew at most. */
async function met(how: Hostility, ask: (url: string) => Promise<unknown>) {
  const server = await startHostileServer(how);
  onTestFinished(() => server.close());
  const before = process.memoryUsage.rss();
  let most = before;
  const look = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 5);
  const outcome = await ask(server.url).catch((error: unknown) => error);
  clearInterval(look);
  return { outcome, grownMb: (most - before) / 1e6, sentMb: server.sent / 1e6 };
}

/** The largest bound of those here, twice as text, and what the collector has not taken yet. */
const MOST_MB = 220;

describe.each(Object.entries(ways))('%s', (_, { ask, error }) => {
  const asking =
    (timeoutMs = TIMEOUT_MS) =>
    (url: string) =>
      ask(url, timeoutMs);

  test.each(['flood', 'bomb'] as const)('a %s ends at the bound', async (how) => {
    const { outcome, grownMb, sentMb } = await met(how, asking());
    expect(outcome).toMatchObject({ type: 'AnswerTooLong', retryable: false });
    expect((outcome as Failure).message).toMatch(/sent more than [\d.]+ MB in one answer\. \w+/);
    expect(grownMb).toBeLessThan(MOST_MB);
    expect(sentMb).toBeLessThan(MOST_MB);
  });

  test('a flooded error is named', async () => {
    const { outcome, grownMb, sentMb } = await met('flooded error', asking());
    expect(outcome).toMatchObject({ type: error });
    expect((outcome as Failure).message.length).toBeLessThan(1000);
    expect(grownMb).toBeLessThan(MOST_MB);
    expect(sentMb).toBeLessThan(MOST_MB);
  });

  test('a drip ends with the time', async () => {
    const { outcome } = await met('drip', asking(300));
    if (outcome instanceof Failure) expect(outcome.type).toBe('Timeout');
    else expect(outcome).toMatchObject({ name: 'TimeoutError' });
  });

  test('a redirect is not followed, and says what to set', async () => {
    const asked: string[] = [];
    const metadata = await serve((incoming, response) => {
      asked.push(incoming.url ?? '');
      response.setHeader('content-type', 'application/json');
      response.end('{"choices":[{"message":{"content":"of the one that is sent to"}}]}');
    });
    const redirect = `${metadata}/of/it?with=key`;
    const { outcome } = await met({ redirect, status: 308 }, asking());
    expect(outcome).toMatchObject({ type: 'Incompatible', retryable: false });
    const { message } = outcome as Failure;
    expect(message).toMatch(/redirects.*\(HTTP 308\)/);
    expect(message).toMatch(/\. (Set|Give) .+/);
    expect(message).not.toMatch(/of the one|with=key/);
    expect(asked).toEqual([]);
  });
});

test('an endless line of a file is cut, and the lines behind it are read', async () => {
  const block = Buffer.alloc(100_000, 'x');
  async function* file() {
    yield Buffer.from('first\n');
    for (let n = 0; n < 1000; n++) yield block;
    yield Buffer.from('\nlast');
  }
  const lines: string[] = [];
  for await (const line of nonBlankLines(file(), never(), 250_000)) lines.push(line);
  expect(lines.map(({ length }) => length)).toEqual([5, 250_000, 4]);
});

test('a body that comes byte by byte is held in whole pieces', async () => {
  async function* crumbs() {
    for (let n = 0; n < 200_000; n++) yield Uint8Array.of(n % 251);
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of inChunks(crumbs(), 1_000_000)) pieces.push(piece);
  expect(pieces.map(({ length }) => length)).toEqual([65_536, 65_536, 65_536, 3392]);
  expect(Buffer.concat(pieces).every((byte, n) => byte === n % 251)).toBe(true);
});
