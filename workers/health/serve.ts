/** Serves a worker's health and metrics: `/healthz`, `/readyz` and `/metrics`. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../../core/failure.js';
import type { HttpAddress } from '../../core/http-address.js';
import type { Readiness } from './readiness.js';

export interface HealthParts {
  readiness(): Promise<Readiness>;
  /** What Prometheus is told; undefined where the runtime exports nothing to it. */
  metrics?: (() => Promise<string>) | undefined;
}

export interface HealthServer {
  /** "http://127.0.0.1:9464" */
  url: string;
  close(): Promise<void>;
}

/** @throws Failure BadInput where the address cannot be listened on. */
export async function serveHealth(
  { host, port }: HttpAddress,
  parts: HealthParts,
): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    answer(request.method ?? '', path, response, parts).catch(() =>
      send(response, 500, 'The answer could not be made.\n'),
    );
  });
  await listening(server, { host, port });
  const { address, family, port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  method: string,
  path: string,
  response: ServerResponse,
  { readiness, metrics }: HealthParts,
): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    return send(response, 405, 'Only GET and HEAD.\n');
  }
  if (path === '/healthz') return send(response, 200, 'ok\n');
  if (path === '/readyz') {
    const state = await readiness();
    return send(response, state.ready ? 200 : 503, `${JSON.stringify(state)}\n`, JSON_TYPE);
  }
  if (path === '/metrics' && metrics) return send(response, 200, await metrics(), PROMETHEUS_TYPE);
  send(response, 404, 'There are /healthz, /readyz and /metrics.\n');
}

const JSON_TYPE = 'application/json';
const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

function send(response: ServerResponse, status: number, body: string, type = 'text/plain'): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(body);
}

function listening(server: Server, address: HttpAddress): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'something else listens there' : cause.message;
      fail(
        new Failure(
          'BadInput',
          `DURABLE_RAG_HTTP (--http): cannot listen on ${address.host}:${address.port}: ${why}.`,
          { cause },
        ),
      );
    });
    server.listen(address, done);
  });
}
