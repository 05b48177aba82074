/**
 * Small HTTP servers: on this machine's loopback address, or on an address that a setting names.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../core/failure.js';
import type { HttpAddress } from '../core/http-address.js';

/** A running HTTP server: its URL and a function that closes it. */
export interface Listening {
  /** URL of the server: "http://127.0.0.1:8234". */
  url: string;
  close(): Promise<void>;
}

/**
 * Starts an HTTP server on 127.0.0.1, and returns its URL and a function that closes it. Refuses
 * requests for another host name, against DNS rebinding. If `answer` fails, the response has status
 * 400 and the message of the Failure.
 *
 * @param port 0 for any free port.
 * @param answer Answers a request.
 * @throws Failure BadInput if the port is taken.
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
 * Starts a server on an address, and returns its URL and a function that closes it with all its
 * connections.
 *
 * @param setting Name of the setting with the address, for errors.
 * @throws Failure BadInput if it cannot listen.
 */
export async function listening(
  server: Server,
  address: HttpAddress,
  setting: string,
): Promise<Listening> {
  await new Promise<void>((done, fail) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'another process listens there' : cause.message;
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

/**
 * Sends a response with a status and an optional JSON body. If the response has already begun,
 * aborts it.
 */
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

/**
 * Returns whether a request declares JSON as its body's type. A page of another origin cannot send
 * JSON without permission.
 */
export function hasJsonBody({ headers }: IncomingMessage): boolean {
  return /^application\/json\b/.test(headers['content-type'] ?? '');
}

/**
 * Returns the body of a request as text.
 *
 * @param most Maximum number of bytes.
 * @throws Failure BadInput if it is longer.
 */
export async function readBody(request: IncomingMessage, most: number): Promise<string> {
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
