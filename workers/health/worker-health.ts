/** Serves the health and metrics of a running worker. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { NativeConnection } from '@temporalio/worker';
import type { Listening } from '../../client/loopback.js';
import type { HttpAddress } from '../../core/http-address.js';
import { measure } from '../observe/metrics.js';
import { readinessOf } from './readiness.js';
import { serveHealth } from './serve.js';

export interface WorkerHealthOptions {
  address: HttpAddress;
  /** URL of the metrics of the SDK's runtime: "http://127.0.0.1:1234/metrics". */
  metricsUrl?: string | undefined;
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  /** Names of the methods, which are the workflow types of questions. */
  methods: readonly string[];
  takesWork(): boolean;
  /** Rejects if no response could be stored. */
  probeStore(): Promise<void>;
}

const PATIENCE_MS = 2000;
const REFRESH_MS = 1000;
/** Timeout of a scrape, the same as Prometheus's own. */
const SCRAPE_MS = 10_000;

/** Starts the server. @throws Failure BadInput if it cannot listen on the address. */
export function serveWorkerHealth(options: WorkerHealthOptions): Promise<Listening> {
  const { address, metricsUrl, connection, takesWork, probeStore } = options;
  const readiness = readinessOf(takesWork, {
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

async function scraped(url: string, refresh: () => Promise<void>): Promise<string> {
  // A slow count on the server must not delay the scrape; then the last numbers stay.
  await Promise.race([refresh(), sleep(REFRESH_MS)]);
  const response = await fetch(url, { signal: AbortSignal.timeout(SCRAPE_MS) });
  if (!response.ok) throw new Error(`The runtime answers ${response.status}.`);
  return response.text();
}

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
