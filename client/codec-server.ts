import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { CodecPayload } from '../stores/encryption/payload-codec.js';
import { hasJsonBody, type Listening, listenOnLoopback, readBody, sendJson } from './loopback.js';

/** A codec by which payloads are encoded and decoded. */
type ServedCodec = Record<
  'encode' | 'decode',
  (payloads: CodecPayload[]) => Promise<CodecPayload[]>
>;

/** Maximum number of bytes of a request; more than any page of a history. */
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
 * Serves a payload codec on 127.0.0.1 at `/encode` and `/decode`, as the Temporal UI requests it,
 * and returns the server's URL and a function that closes it. Refuses pages of other origins, and
 * requests for another host name, against DNS rebinding.
 *
 * @param port 0 for any free port.
 * @param origins Origins of the pages that may send requests, such as the Temporal UI.
 * @throws Failure BadInput if the port is taken.
 */
export async function listenForCodec(
  codec: ServedCodec,
  port: number,
  origins: readonly string[],
): Promise<Listening> {
  return listenOnLoopback(port, (request, response) => answer(request, response, codec, origins));
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  codec: ServedCodec,
  origins: readonly string[],
): Promise<void> {
  const { origin } = request.headers;
  if (origin !== undefined) {
    if (!origins.includes(origin)) return sendJson(response, 403);
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Allow-Credentials', 'true');
    response.setHeader('Access-Control-Allow-Methods', 'POST, OPTIONS');
    response.setHeader('Access-Control-Allow-Headers', 'content-type, authorization, x-namespace');
    response.setHeader('Vary', 'Origin');
  }
  if (request.method === 'OPTIONS') return sendJson(response, 204);
  const [, what] = /\/(encode|decode)$/.exec((request.url ?? '').split('?', 1)[0] ?? '') ?? [];
  if (request.method !== 'POST' || what === undefined) return sendJson(response, 404);
  if (!hasJsonBody(request)) return sendJson(response, 415);
  const payloads = fromWire(await readBody(request, LONGEST));
  const done = what === 'encode' ? await codec.encode(payloads) : await codec.decode(payloads);
  sendJson(response, 200, { payloads: done.map(toWire) });
}

/** Parses payloads from JSON, in which their bytes are base64 as in protobuf. */
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
