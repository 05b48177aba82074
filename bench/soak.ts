/**
 * Lets three workers answer for half an hour: one without metrics and traces, one with metrics, one
 * with both. Tells what a question takes of each, and its heap at the beginning and at the end.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../client/create-client.js';
import { figuresTable } from './figures-table.js';
import { measuredOn } from './machine.js';
import { buildCorpus, CORPUS, questions as endlessQuestions } from './speed/corpus.js';
import type { MockModelRequest, MockModelState } from './speed/mock-server.js';
import { type Remote, startRemote } from './speed/remote.js';
import { workerEnv } from './speed/worker-env.js';
import type { WatchedUsage, WorkerRequest } from './speed/worker-usage.js';
import { onTemporal, type TemporalStage } from './temporal-stage.js';

const MINUTES = 30;
/** Questions under way at each of the workers. */
const AT_ONCE = 10;
const SEED = 17;
const MODEL = 'mock-1';
const LATENCY_MS = 20;
const TENTHS = 10;
const SCRAPE_MS = 5000;

interface Side {
  name: string;
  worker: Remote<WorkerRequest, WatchedUsage>;
  ask(question: string): Promise<void>;
  answered: number;
  failed: number;
  /** At the end of the first tenth and of the last. */
  heaps: number[];
}

async function startSide(
  name: string,
  { folder, temporal, connection, takeDown }: TemporalStage,
  baseUrl: string,
  env: NodeJS.ProcessEnv,
): Promise<Side> {
  const taskQueue = `soak-${name}`;
  const worker = await startRemote<WorkerRequest, WatchedUsage>('worker.js', {
    ...workerEnv({ folder, temporal }, baseUrl, MODEL),
    DURABLE_RAG_TASK_QUEUE: taskQueue,
    ...env,
  });
  takeDown(() => worker.stop());
  const client = await createClient({ connection, taskQueue });
  const side: Side = { name, worker, ask, answered: 0, failed: 0, heaps: [] };
  async function ask(question: string): Promise<void> {
    const asked = client.ask('sure', { question, retrieval: { corpus: CORPUS } });
    const { outcome } = await asked.catch(() => ({ outcome: 'failed' }));
    if (outcome === 'answered') side.answered++;
    else side.failed++;
  }
  return side;
}

async function soak(stage: TemporalStage): Promise<string> {
  const { folder, takeDown } = stage;
  await buildCorpus(folder, join(folder, 'corpora'), SEED);
  const model = await startRemote<MockModelRequest, MockModelState>('mock-model.js');
  takeDown(() => model.stop());
  const { baseUrl } = await model.ask({ latencyMs: LATENCY_MS });
  const collector = await startCollector();
  takeDown(() => collector.close());
  const none = { OTEL_TRACES_EXPORTER: 'none' };
  const http = { DURABLE_RAG_HTTP: '0' };
  const traced = { ...http, OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
  const sides: Side[] = [];
  for (const [name, env] of Object.entries({ none, metrics: { ...none, ...http }, both: traced })) {
    sides.push(await startSide(name, stage, baseUrl, env));
  }

  const questions = endlessQuestions(SEED);
  const began = Date.now();
  const until = began + MINUTES * 60_000;
  const work = sides.flatMap((side) => [
    scraping(side, until),
    ...Array.from({ length: AT_ONCE }, async () => {
      while (Date.now() < until) await side.ask(questions.next().value);
    }),
  ]);
  await sleep((until - began) / TENTHS);
  for (const side of sides) side.heaps.push((await side.worker.ask('without garbage')).heapUsed);
  await Promise.all(work);
  const took: string[] = [];
  for (const { worker, heaps, answered } of sides) {
    const { cpuMs, heapUsed } = await worker.ask('without garbage');
    heaps.push(heapUsed);
    took.push((cpuMs / answered).toFixed(1));
  }
  const row = (name: string, of: (side: Side) => string) => [name, ...sides.map(of)];
  const mb = (bytes: number) => (bytes / 1e6).toFixed(0);
  return figuresTable([
    row('', ({ name }) => name),
    row('questions', ({ answered }) => `${answered}`),
    row('failed', ({ failed }) => `${failed}`),
    ['CPU ms a question', ...took],
    row('heap in the first and last tenth, MB', ({ heaps }) => heaps.map(mb).join(', ')),
  ]);
}

/** Reads a worker's metrics now and then, as Prometheus does, where it has any. */
async function scraping({ worker }: Side, until: number): Promise<void> {
  const { healthUrl } = await worker.ask('as it is');
  while (healthUrl !== undefined && Date.now() < until) {
    const response = await fetch(`${healthUrl}/metrics`);
    if (!response.ok) throw new Error(`/metrics answers ${response.status}.`);
    await response.text();
    await sleep(SCRAPE_MS);
  }
}

/** Takes whatever it is sent, as a collector of OpenTelemetry does. */
async function startCollector() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

await onTemporal(async (stage) => {
  const table = await soak(stage);
  console.log(`${measuredOn(`Temporal server ${stage.temporal.serverVersion}`)}\n\n${table}`);
});
