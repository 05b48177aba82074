/** Serves a worker's health and metrics: `/healthz`, `/readyz` and `/metrics`. */
import { createServer, type ServerResponse } from 'node:http';
import { type Listening, listening } from '../../client/loopback.js';
import type { HttpAddress } from '../../core/http-address.js';
import type { Readiness } from './readiness.js';

export interface HealthParts {
  readiness(): Promise<Readiness>;
  /** Returns the metrics for Prometheus; undefined if the runtime exports none. */
  metrics?: (() => Promise<string>) | undefined;
}

/** Starts the server. @throws Failure BadInput if it cannot listen on the address. */
export async function serveHealth(address: HttpAddress, parts: HealthParts): Promise<Listening> {
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    answer(request.method ?? '', path, response, parts).catch(() =>
      send(response, 500, 'The answer could not be made.\n'),
    );
  });
  return listening(server, address, 'DURABLE_RAG_HTTP (--http)');
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
