/** Serves the health and metrics of a running worker over HTTP. */
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NativeConnection } from '@temporalio/worker';
import { type Listening, listening } from '../../client/loopback.js';
import { succeeds } from '../../core/failure.js';
import type { HttpAddress } from '../../core/http-address.js';
import { measure } from '../observe/meter.js';

/** The worker whose health is served, and the address. */
interface WorkerHealthOptions {
  address: HttpAddress;
  /** URL of the metrics of the SDK's runtime: "http://127.0.0.1:1234/metrics". */
  metricsUrl?: string | undefined;
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  /** Names of the methods, which are the workflow types of questions. */
  methods: readonly string[];
  /** Returns whether the worker polls for work. */
  takesWork(): boolean;
  /** Rejects if no response could be stored. */
  probeStore(): Promise<void>;
}

/** Time in milliseconds after which a part that has not answered counts as away. */
const PATIENCE_MS = 2000;
/** Longest wait for new values of the gauges at a scrape, in milliseconds. */
const REFRESH_MS = 1000;
/** Timeout of a scrape, the same as Prometheus's own. */
const SCRAPE_MS = 10_000;

/**
 * Starts an HTTP server with /healthz, /readyz and, if `metricsUrl` is given, /metrics of a
 * worker, and returns its `url` and a function `close`.
 *
 * @throws Failure BadInput if it cannot listen on the address.
 */
export function serveWorkerHealth(options: WorkerHealthOptions): Promise<Listening> {
  const { address, metricsUrl, connection, takesWork, probeStore } = options;
  const readiness = readinessCheck(takesWork, {
    temporal: () => inTime(connection, () => connection.workflowService.getSystemInfo({})),
    store: probeStore,
  });
  const gauges = async () => {
    const [{ ready }, questions] = await Promise.all([readiness(), countQuestions(options)]);
    measure({ series: 'ready', value: ready ? 1 : 0, labels: {} });
    // If the server does not answer, the last number stays.
    if (questions !== undefined) measure({ series: 'questions', value: questions, labels: {} });
  };
  const metrics = metricsUrl === undefined ? undefined : () => scraped(metricsUrl, gauges);
  return serveHealth(address, { readiness, metrics });
}

/** Returns the runtime's metrics as text, after `refresh` or after a second. */
async function scraped(url: string, refresh: () => Promise<void>): Promise<string> {
  // A slow count on the server must not delay the scrape; then the last numbers stay.
  await Promise.race([refresh(), sleep(REFRESH_MS)]);
  const response = await fetch(url, { signal: AbortSignal.timeout(SCRAPE_MS) });
  if (!response.ok) throw new Error(`The runtime answers ${response.status}.`);
  return response.text();
}

/**
 * Returns the number of running questions of the task queue; undefined if the server does not
 * answer.
 */
async function countQuestions({
  connection,
  namespace,
  taskQueue,
  methods,
}: WorkerHealthOptions): Promise<number | undefined> {
  const types = methods.map(quoted).join(', ');
  const query = `TaskQueue = ${quoted(taskQueue)} AND ExecutionStatus = 'Running' AND WorkflowType IN (${types})`;
  try {
    const { count } = await inTime(connection, () =>
      connection.workflowService.countWorkflowExecutions({ namespace, query }),
    );
    return Number(count);
  } catch {
    return undefined;
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

function inTime<T>(connection: NativeConnection, request: () => Promise<T>): Promise<T> {
  return connection.withDeadline(Date.now() + PATIENCE_MS, request);
}

/** The functions that return the readiness of a worker and its metrics, for the HTTP server. */
export interface HealthParts {
  readiness(): Promise<Readiness>;
  /** Returns the metrics for Prometheus; undefined if the runtime exports none. */
  metrics?: (() => Promise<string>) | undefined;
}

/**
 * Starts an HTTP server for /healthz, which always answers "ok", and for /readyz and, if `parts`
 * has `metrics`, /metrics, which the functions of `parts` answer. Returns its `url` and a function
 * `close`.
 *
 * @throws Failure BadInput if it cannot listen on the address.
 */
export async function serveHealth(address: HttpAddress, parts: HealthParts): Promise<Listening> {
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    answer(request.method ?? '', path, response, parts).catch(() =>
      send(response, 500, 'The answer could not be produced.\n'),
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

/** Checks by the name of the part; each rejects if its part does not answer. */
type Checks = Readonly<Record<string, () => Promise<unknown>>>;

interface Readiness {
  ready: boolean;
  /**
   * State of the worker and each of its parts. Messages are left out, since they may contain
   * secrets.
   */
  parts: Record<string, 'ok' | 'stopping' | 'away'>;
}

/** Age up to which a result is reused, because a check writes to the store. */
const FRESH_MS = 1000;

interface ReadinessOptions {
  patienceMs?: number;
  freshMs?: number;
}

/**
 * Returns a function that runs the checks in parallel and resolves to `parts`, the state of each
 * part by name ("ok" or "away") and of the worker itself as `worker` ("ok" or "stopping"), and
 * `ready`, whether all are "ok". It never rejects, and reuses the results of the checks for a
 * second.
 *
 * @param takesWork Returns whether the worker polls; called each time.
 * @param checks Checks by the name of the part; a check that rejects or takes longer than two
 * seconds means "away".
 */
export function readinessCheck(
  takesWork: () => boolean,
  checks: Checks,
  { patienceMs = PATIENCE_MS, freshMs = FRESH_MS }: ReadinessOptions = {},
): () => Promise<Readiness> {
  let latest: { at: number; parts: Promise<[string, 'ok' | 'away'][]> } | undefined;
  const runChecks = () =>
    Promise.all(
      Object.entries(checks).map(async ([name, check]): Promise<[string, 'ok' | 'away']> => {
        const answer = succeeds(Promise.resolve().then(check));
        const isThere = await Promise.race([answer, sleep(patienceMs, false, { ref: false })]);
        return [name, isThere ? 'ok' : 'away'];
      }),
    );
  return async () => {
    if (!latest || performance.now() - latest.at >= freshMs) {
      latest = { at: performance.now(), parts: runChecks() };
    }
    const parts = await latest.parts;
    const worker = takesWork() ? 'ok' : 'stopping';
    const all = Object.fromEntries([['worker', worker] as const, ...parts]);
    return { ready: Object.values(all).every((state) => state === 'ok'), parts: all };
  };
}
