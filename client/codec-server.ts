import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { Failure } from '../core/failure.js';
import type { CodecPayload } from '../stores/encryption/payload-codec.js';

/** The codec's part that is served. */
export interface ServedCodec {
  encode(payloads: CodecPayload[]): Promise<CodecPayload[]>;
  decode(payloads: CodecPayload[]): Promise<CodecPayload[]>;
}

export interface CodecServerOptions {
  /** 0 for any. */
  port: number;
  /** The origin of the pages that may ask: the Temporal UI. */
  origins: readonly string[];
}

/** Longer than any page of a history. */
const LONGEST = 64 * 1024 * 1024;

const wire = z.object({
  payloads: z.array(
    z.object({
      metadata: z.record(z.string(), z.string()).default({}),
      data: z.string().default(''),
    }),
  ),
});

/**
 * Serves a codec on 127.0.0.1. It refuses pages of other origins, and requests for another host
 * name, which a page could direct here.
 *
 * @throws Failure BadInput where the port is taken.
 */
export async function listenForCodec(
  codec: ServedCodec,
  { port, origins }: CodecServerOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    answer(request, response, codec, origins).catch((error: unknown) => {
      const message = error instanceof Failure ? error.message : 'The payloads cannot be read.';
      end(response, 400, { message });
    });
  });
  await new Promise<void>((done, fail) => {
    server.once('error', (cause) =>
      fail(
        new Failure('BadInput', `--port: ${port} cannot be used (${cause.message}).`, { cause }),
      ),
    );
    server.listen(port, '127.0.0.1', done);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  codec: ServedCodec,
  origins: readonly string[],
): Promise<void> {
  const { origin, host = '' } = request.headers;
  if (!/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(host)) return end(response, 403);
  if (origin !== undefined) {
    if (!origins.includes(origin)) return end(response, 403);
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Allow-Credentials', 'true');
    response.setHeader('Access-Control-Allow-Methods', 'POST, OPTIONS');
    response.setHeader('Access-Control-Allow-Headers', 'content-type, authorization, x-namespace');
    response.setHeader('Vary', 'Origin');
  }
  if (request.method === 'OPTIONS') return end(response, 204);
  const [, what] = /\/(encode|decode)$/.exec((request.url ?? '').split('?', 1)[0] ?? '') ?? [];
  if (request.method !== 'POST' || what === undefined) return end(response, 404);
  // A page can send other types without a preflight request.
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    return end(response, 415);
  }
  const payloads = fromWire(await bodyOf(request));
  const done = what === 'encode' ? await codec.encode(payloads) : await codec.decode(payloads);
  end(response, 200, { payloads: done.map(toWire) });
}

function end(response: ServerResponse, status: number, body?: object): void {
  response.statusCode = status;
  if (body === undefined) {
    response.end();
    return;
  }
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let held = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    held += chunk.length;
    if (held > LONGEST) throw new Failure('BadInput', 'The payloads are longer than 64 MB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Bytes are base64, as protobuf writes them in JSON. */
function fromWire(body: string): CodecPayload[] {
  return wire.parse(JSON.parse(body)).payloads.map(({ metadata, data }) => ({
    metadata: Object.fromEntries(
      Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value, 'base64')]),
    ),
    data: Buffer.from(data, 'base64'),
  }));
}

function toWire({ metadata, data }: CodecPayload) {
  const named = Object.entries(metadata ?? {}).map(([name, value]) => [name, base64(value)]);
  return { metadata: Object.fromEntries(named), data: base64(data ?? Buffer.alloc(0)) };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
