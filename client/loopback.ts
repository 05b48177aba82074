/** HTTP servers, most of them for this machine only. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../core/failure.js';
import type { HttpAddress } from '../core/http-address.js';

/** A server that listens. */
export interface Listening {
  /** URL of the server: "http://127.0.0.1:8234". */
  url: string;
  close(): Promise<void>;
}

/**
 * Serves requests on 127.0.0.1. Refuses a request for another host name, which a page could direct
 * here. If `answer` fails, the response contains the message.
 *
 * @param port 0 for any free port.
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
 * Starts listening.
 *
 * @param setting Names the setting of the address, for errors.
 * @throws Failure BadInput if it cannot listen.
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

/**
 * Tells whether a request contains JSON. A page of another origin can send only other types
 * unasked.
 */
export function bringsJson({ headers }: IncomingMessage): boolean {
  return /^application\/json\b/.test(headers['content-type'] ?? '');
}

/** Returns the body. @param most Most bytes. @throws Failure BadInput if it is longer. */
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
