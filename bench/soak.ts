/**
 * Lets three workers answer for a long time: one without metrics and traces, one with metrics, one with
 * both. Tells, tenth by tenth, memory and CPU of each, and what went wrong.
 */
import { join } from 'node:path';
import { createClient } from '../client/create-client.js';
import { benchFlags } from './flags.js';
import { measuredOn } from './machine.js';
import { type Collector, scrape, startCollector } from './soak/watching.js';
import { buildCorpus, CORPUS, questions as endlessQuestions } from './speed/corpus.js';
import type { MockModelRequest, MockModelState } from './speed/mock-server.js';
import { type Remote, startRemote } from './speed/remote.js';
import { workerEnv } from './speed/worker-env.js';
import type { WatchedUsage, WorkerRequest } from './speed/worker-usage.js';
import { onTemporal, type TemporalStage } from './temporal-stage.js';

const USAGE = `Usage: node dist/bench/soak.js [--minutes N] [--at-once N]
  --minutes  how long (default: 30)
  --at-once  questions under way at each of the three workers (default: 10)`;

const SEED = 17;
const MODEL = 'mock-1';
const LATENCY_MS = 20;
const CALLS_A_QUESTION = 7;
const TENTHS = 10;
const SCRAPE_MS = 5000;

interface Side {
  name: string;
  worker: Remote<WorkerRequest, WatchedUsage>;
  ask(question: string): Promise<void>;
  answered: number;
  failed: string[];
}

async function startSide(
  name: string,
  { folder, temporal, connection, takeDown }: TemporalStage,
  baseUrl: string,
  env: NodeJS.ProcessEnv,
): Promise<Side> {
  const part = name.replaceAll(' ', '-');
  const taskQueue = `soak-${part}`;
  const worker = await startRemote<WorkerRequest, WatchedUsage>('worker.js', {
    ...workerEnv({ folder, temporal }, baseUrl, MODEL),
    DURABLE_RAG_TASK_QUEUE: taskQueue,
    ...env,
  });
  takeDown(() => worker.stop());
  const client = await createClient({ connection, taskQueue });
  const side: Side = { name, worker, ask, answered: 0, failed: [] };
  async function ask(question: string): Promise<void> {
    try {
      const { outcome } = await client.ask('sure', { question, retrieval: { corpus: CORPUS } });
      if (outcome !== 'answered') throw new Error(`The outcome is ${outcome}.`);
      side.answered++;
    } catch (error) {
      side.failed.push(String(error));
    }
  }
  return side;
}

interface SoakOptions {
  minutes: number;
  atOnce: number;
}

async function soak({ minutes, atOnce }: SoakOptions, stage: TemporalStage): Promise<void> {
  const { folder, takeDown } = stage;
  await buildCorpus(folder, join(folder, 'corpora'), SEED);
  const model = await startRemote<MockModelRequest, MockModelState>('mock-model.js');
  takeDown(() => model.stop());
  const { baseUrl } = await model.ask({ latencyMs: LATENCY_MS });
  const collector = await startCollector();
  takeDown(() => collector.close());
  const none = { OTEL_TRACES_EXPORTER: 'none' };
  const http = { DURABLE_RAG_HTTP: '0' };
  const start = (name: string, env: NodeJS.ProcessEnv) => startSide(name, stage, baseUrl, env);
  const plain = await start('plain', none);
  const counted = await start('metrics', { ...none, ...http });
  const watched = await start('metrics and traces', {
    ...http,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  });
  const { healthUrl = '' } = await watched.worker.ask('without garbage');

  const questions = endlessQuestions(SEED);
  const until = Date.now() + minutes * 60_000;
  const sides = [plain, counted, watched];
  const load = sides.flatMap((side) =>
    Array.from({ length: atOnce }, async () => {
      while (Date.now() < until) await side.ask(questions.next().value);
    }),
  );
  const scraping = keepScraping(healthUrl, until);
  console.log(`${measuredOn(`Temporal server ${stage.temporal.serverVersion}`)}\n\n${HEAD}`);
  for (let tenth = 1; tenth <= TENTHS; tenth++) {
    const before = await Promise.all(sides.map(standOf));
    const end = until - ((TENTHS - tenth) * minutes * 60_000) / TENTHS;
    await new Promise((done) => setTimeout(done, Math.max(0, end - Date.now())));
    const after = await Promise.all(sides.map(standOf));
    for (const [k, side] of sides.entries()) {
      const [from, to] = [before[k], after[k]];
      if (from && to) console.log(row(tenth, side, from, to));
    }
  }
  await Promise.all(load);
  await tell(sides, watched, await scraping, healthUrl, collector);
}

const HEAD = `| tenth | worker | questions | CPU ms a question | RSS, MB | heap, MB |
| --- | --- | --- | --- | --- | --- |`;

interface Stand extends WatchedUsage {
  answered: number;
}

async function standOf({ worker, answered }: Side): Promise<Stand> {
  return { ...(await worker.ask('without garbage')), answered };
}

function row(tenth: number, { name }: Side, from: Stand, to: Stand): string {
  const questions = to.answered - from.answered;
  const cpu = (to.cpuMs - from.cpuMs) / questions;
  const mb = (bytes: number) => Math.round(bytes / 1e6);
  return `| ${tenth} | ${name} | ${questions} | ${cpu.toFixed(1)} | ${mb(to.rss)} | ${mb(to.heapUsed)} |`;
}

interface Scrapes {
  count: number;
  slowestMs: number;
  notReady: number;
  errors: string[];
}

async function keepScraping(healthUrl: string, until: number): Promise<Scrapes> {
  const seen: Scrapes = { count: 0, slowestMs: 0, notReady: 0, errors: [] };
  while (Date.now() < until) {
    try {
      const { ms, ready } = await scrape(healthUrl);
      seen.count++;
      seen.slowestMs = Math.max(seen.slowestMs, ms);
      if (!ready) seen.notReady++;
    } catch (error) {
      seen.errors.push(String(error));
    }
    await new Promise((done) => setTimeout(done, SCRAPE_MS));
  }
  return seen;
}

async function tell(
  sides: readonly Side[],
  watched: Side,
  scrapes: Scrapes,
  healthUrl: string,
  collector: Collector,
): Promise<void> {
  const { total, samples } = await scrape(healthUrl);
  const { requests, bytes } = collector.received();
  const asked = watched.answered * CALLS_A_QUESTION;
  console.log(`
scrapes: ${scrapes.count} of ${samples} samples, the slowest ${Math.round(scrapes.slowestMs)} ms; ${scrapes.notReady} not ready; ${scrapes.errors.length} failed ${scrapes.errors.slice(0, 3)}
calls: ${total('durable_rag_calls_total')} counted, ${asked} asked; failures counted: ${total('durable_rag_failures_total')}
spans: ${requests} requests, ${Math.round(bytes / Math.max(1, watched.answered))} bytes a question`);
  for (const side of sides) {
    const { warnings, cpuMs } = await side.worker.ask('without garbage');
    const cpu = (cpuMs / side.answered).toFixed(1);
    console.log(
      `${side.name}: ${side.answered} answered, ${side.failed.length} failed ${side.failed.slice(0, 3)}, ${warnings} warnings, ${cpu} ms of CPU a question in all`,
    );
  }
}

const { flags, number } = benchFlags(USAGE, { minutes: '30', 'at-once': '10' });
const options = {
  minutes: number(flags.minutes, Number.isFinite),
  atOnce: number(flags['at-once']),
};
await onTemporal((stage) => soak(options, stage));
