/** A local HTTP server that speaks the chat completions and embeddings API and misbehaves on command. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceivedRequest } from '../../testing/language-model-contract.js';
import { listening } from './listening.js';

/** The part of a chat completions body that tests look at; anything else is kept as sent. */
export interface ChatRequest {
  model: string;
  messages: { role: string; content: string }[];
  [parameter: string]: unknown;
}

export interface TextReply {
  text: string | null;
  finishReason?: string;
  refusal?: string;
  model?: string;
  fingerprint?: string;
  /** The tier that the answer says it was served at. */
  tier?: string;
  /** Sent as it is; null leaves it out; by default a token per four letters. */
  usage?: Record<string, unknown> | null;
}

interface VectorsReply {
  vectors: unknown[];
  model?: string;
  /** Sent as it is; null leaves it out; by default a token per four letters. */
  usage?: Record<string, unknown> | null;
}

/** What one request is answered with. A string names a way to fail below the level of HTTP. */
export type ReplySpec =
  | TextReply
  | VectorsReply
  | { status: number; body?: unknown; headers?: Record<string, string> }
  /** Before any answer: the socket is destroyed, or nothing ever comes. */
  | 'reset'
  | 'hang'
  /** After half of the body: nothing more ever comes, or the socket is destroyed. */
  | 'hang-body'
  | 'cut-body'
  /** 200 with a body that is not JSON though it says so. */
  | 'malformed';

export interface RecordedRequest {
  /** 0 for the first request. */
  n: number;
  /** Behind the base URL: "/chat/completions". */
  path: string;
  body: ChatRequest;
  headers: IncomingHttpHeaders;
  /** Milliseconds since the epoch. */
  startedAt: number;
  endedAt: number | undefined;
  /** The client closed the connection before it had its answer. */
  aborted: boolean;
}

export interface ModelServerOptions {
  reply: (request: ChatRequest, n: number) => ReplySpec | Promise<ReplySpec>;
  /** Wait before each answer. @default 0 */
  latencyMs?: number;
}

export type ModelServer = Awaited<ReturnType<typeof startModelServer>>;

/** What arrived at /chat/completions, as the contract of language models looks at it. */
export function receivedBy({ requests }: Pick<ModelServer, 'requests'>): ReceivedRequest[] {
  return requests.map(({ body: { messages, max_tokens, stop, response_format } }) => ({
    stop: stop as ReceivedRequest['stop'],
    schema: schemaIn(response_format),
    messages: messages as ReceivedRequest['messages'],
    maxTokens: typeof max_tokens === 'number' ? max_tokens : undefined,
  }));
}

/** Undefined where it is not asked for strictly. */
function schemaIn(format: unknown): ReceivedRequest['schema'] {
  const { type, json_schema } = Object(format);
  const { strict, ...schema } = Object(json_schema);
  return type === 'json_schema' && strict === true ? schema : undefined;
}

/**
 * Starts a model server on a free local port.
 *
 * @example
 * const server = await startModelServer({ reply: (_, n) => (n === 0 ? 'reset' : { text: 'Paris' }) });
 */
export async function startModelServer(options: ModelServerOptions) {
  const requests: RecordedRequest[] = [];
  let inFlight = 0;
  let closing = false;

  const server = createServer(async (incoming, response) => {
    // A client that leaves while it still sends, or sends no JSON, is not recorded.
    const body = await text(incoming)
      .then(JSON.parse)
      .catch(() => undefined);
    if (!body) return sendJson(response, 400, { error: { message: 'the body is not JSON' } });
    const request: RecordedRequest = {
      n: requests.length,
      path: (incoming.url ?? '').replace(/^\/v1|\?.*$/g, ''),
      body: body as ChatRequest,
      headers: incoming.headers,
      startedAt: Date.now(),
      endedAt: undefined,
      aborted: false,
    };
    requests.push(request);
    inFlight++;
    response.on('close', () => {
      inFlight--;
      request.endedAt = Date.now();
      // A response we broke off ourselves (reset, cut-body) has an error; one the client left has not.
      request.aborted = !response.writableFinished && !response.errored && !closing;
    });
    try {
      const reply = await options.reply(request.body, request.n);
      if (options.latencyMs) await sleep(options.latencyMs);
      if (!response.destroyed) send(response, request, reply);
    } catch (error) {
      sendJson(response, 500, { error: { message: `the test's reply threw: ${String(error)}` } });
    }
  });

  const { address, close } = await listening(server);
  return {
    baseUrl: `http://${address}/v1`,
    requests,
    get inFlight() {
      return inFlight;
    },
    /** Requests whose client went away before the answer: what a cancelled run did not pay for. */
    get aborted() {
      return requests.filter((request) => request.aborted).length;
    },
    /** Destroys every connection, answered or not. */
    close() {
      closing = true;
      return close();
    },
  };
}

function send(response: ServerResponse, request: RecordedRequest, reply: ReplySpec): void {
  if (reply === 'hang') {
    // Nothing: the client has to give up.
  } else if (reply === 'reset') {
    response.destroy(new Error('reset'));
  } else if (reply === 'malformed') {
    sendJson(response, 200, '<html>not json</html>');
  } else if (reply === 'hang-body' || reply === 'cut-body') {
    const body = JSON.stringify(completion(request, { text: 'never read to its end' }));
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    response.writeHead(200, headers).write(body.slice(0, body.length / 2), () => {
      if (reply === 'cut-body') response.destroy(new Error('cut'));
    });
  } else if ('status' in reply) {
    sendJson(response, reply.status, reply.body ?? '', reply.headers);
  } else if ('vectors' in reply) {
    sendJson(response, 200, embeddings(request, reply));
  } else {
    sendJson(response, 200, completion(request, reply));
  }
}

/** Sends a string as it is and anything else as JSON. */
function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function tokens(letters: string): number {
  return Math.ceil(letters.length / 4);
}

function embeddings({ body }: RecordedRequest, reply: VectorsReply) {
  const input = [body.input].flat().map(String);
  const promptTokens = tokens(input.join(''));
  const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens };
  return {
    object: 'list',
    model: reply.model ?? body.model,
    data: reply.vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    usage: reply.usage === undefined ? usage : (reply.usage ?? undefined),
  };
}

function completion({ n, body, startedAt }: RecordedRequest, reply: TextReply) {
  const usage = {
    prompt_tokens: tokens((body.messages ?? []).map((message) => message.content).join('')),
    completion_tokens: tokens(reply.text ?? ''),
  };
  return {
    id: `chatcmpl-${n}`,
    object: 'chat.completion',
    created: Math.floor(startedAt / 1000),
    model: reply.model ?? body.model,
    system_fingerprint: reply.fingerprint,
    service_tier: reply.tier,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: reply.text, refusal: reply.refusal ?? null },
        finish_reason: reply.finishReason ?? 'stop',
      },
    ],
    usage: reply.usage === undefined ? usage : (reply.usage ?? undefined),
  };
}
