/**
 * A local provider of batches: /files, /batches and /chat/completions, with a clock that a test
 * moves and every way in which a batch can end.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  BatchBook,
  type BatchServerOptions,
  type LineFault,
  type MadeBatch,
} from './batch-book.js';
import { listening } from './listening.js';

export type { BatchServerOptions, LineFault };

/**
 * Starts a provider on a free local port.
 *
 * @example const server = await startBatchServer({ reply: (body) => ({ text: 'Paris' }) });
 */
export async function startBatchServer(options: BatchServerOptions) {
  const book = new BatchBook(options);
  const server = createServer((incoming, response) => {
    answer(incoming, response, book).catch((error: unknown) => {
      if (!response.destroyed) send(response, 500, { error: { message: String(error) } });
    });
  });
  const { address, close } = await listening(server);
  return {
    baseUrl: `http://${address}/v1`,
    book,
    /** Batches in the order they were made. */
    batches: book.batches as readonly MadeBatch[],
    /** Moves the clock: batches go on by it, beside the time that passes. */
    advance: (ms: number) => book.advance(ms),
    close,
  };
}

async function answer(incoming: IncomingMessage, response: ServerResponse, book: BatchBook) {
  const bytes = await buffer(incoming);
  const url = new URL(incoming.url ?? '', 'http://localhost');
  const path = url.pathname.replace(/^\/v1/, '');
  const route = `${incoming.method} ${path.replace(/\/(file|batch)-\d+/, '/:id')}`;
  const id = /\/((?:file|batch)-\d+)/.exec(path)?.[1] ?? '';
  const trouble = book.options.trouble?.(route);
  if (trouble) return send(response, trouble.status, trouble.body ?? {});
  switch (route) {
    case 'POST /files':
      return send(response, 200, book.keep(await fileIn(bytes, incoming)));
    case 'GET /files/:id/content':
      return sendFile(response, book, id);
    case 'POST /batches': {
      const fault = book.nextFault();
      const { status, body } = book.make(JSON.parse(bytes.toString()), fault);
      // The batch is there, and is paid; whoever asked for it does not know.
      return fault === 'lost-answer' ? response.destroy() : send(response, status, body);
    }
    case 'GET /batches':
      return send(response, 200, book.list(url.searchParams));
    case 'GET /batches/:id':
      return sendFound(response, book.look(id));
    case 'POST /batches/:id/cancel':
      return sendFound(response, book.cancel(id));
    case 'POST /chat/completions': {
      const { status, body } = book.complete(JSON.parse(bytes.toString()));
      return send(response, status, body);
    }
    default:
      return send(response, 404, { error: { message: `no ${route} here` } });
  }
}

async function fileIn(bytes: Buffer, { headers }: IncomingMessage): Promise<string> {
  const type = headers['content-type'] ?? '';
  const form = await new Response(new Uint8Array(bytes), {
    headers: { 'content-type': type },
  }).formData();
  const file = form.get('file');
  if (!(file instanceof Blob) || form.get('purpose') !== 'batch') throw new Error('no such form');
  return file.text();
}

function sendFile(response: ServerResponse, book: BatchBook, id: string): void {
  const file = book.content(id);
  const status = file ? 200 : 404;
  response.writeHead(status, { 'content-type': 'application/octet-stream' });
  // A connection that breaks in the middle of the file, which is whole at the next attempt.
  if (file?.breaks) response.write(file.text, () => response.destroy());
  else response.end(file?.text ?? JSON.stringify({ error: { message: `no file ${id}` } }));
}

function sendFound(response: ServerResponse, found: object | undefined): void {
  send(response, found ? 200 : 404, found ?? { error: { message: 'no such batch' } });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
