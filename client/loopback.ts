/** Serving by HTTP, most of it to this machine alone. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../core/failure.js';
import type { HttpAddress } from '../core/http-address.js';

/** A server that listens. */
export interface Listening {
  /** "http://127.0.0.1:8234" */
  url: string;
  close(): Promise<void>;
}

/**
 * Answers requests on 127.0.0.1. One that names another host, which a page could direct here, is
 * refused; for an error of `answer` the request gets its message.
 *
 * @param port 0 for any.
 * @throws Failure BadInput where the port is taken.
 */
export async function listenOnLoopback(
  port: number,
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Listening> {
  const server = createServer((request, response) => {
    if (!/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(request.headers.host ?? '')) {
      sendJson(response, 403);
      return;
    }
    answer(request, response).catch((error: unknown) => {
      const message = error instanceof Failure ? error.message : 'The request cannot be read.';
      sendJson(response, 400, { message });
    });
  });
  return listening(server, { host: '127.0.0.1', port }, '--port');
}

/**
 * Lets a server listen.
 *
 * @param setting Names what was set to the address.
 * @throws Failure BadInput where it cannot.
 */
export async function listening(
  server: Server,
  address: HttpAddress,
  setting: string,
): Promise<Listening> {
  await new Promise<void>((done, fail) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'something else listens there' : cause.message;
      const what = `${setting}: cannot listen on ${address.host}:${address.port}: ${why}.`;
      fail(new Failure('BadInput', what, { cause }));
    });
    server.listen(address, done);
  });
  const { address: host, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

export function sendJson(response: ServerResponse, status: number, body?: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.statusCode = status;
  if (body === undefined) {
    response.end();
    return;
  }
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(body));
}

/** Whether a request brings JSON: a page of another origin can send other types unasked. */
export function bringsJson({ headers }: IncomingMessage): boolean {
  return /^application\/json\b/.test(headers['content-type'] ?? '');
}

/** @param most Bytes. @throws Failure BadInput where there are more. */
export async function bodyOf(request: IncomingMessage, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let held = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    held += chunk.length;
    if (held > most) {
      throw new Failure('BadInput', `The request is longer than ${most / 2 ** 20} MB.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
