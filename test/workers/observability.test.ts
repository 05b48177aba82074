/** What a worker that runs tells of itself: health, metrics, and how they change. */
import { randomUUID } from 'node:crypto';
import { Connection } from '@temporalio/client';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { createClient } from '../../client/create-client.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { runWorker } from '../../workers/run-worker.js';
import { cableTo } from '../support/cable.js';
import { commandLineOver } from '../support/command-line.js';
import { dashboard, seriesOf } from '../support/dashboard.js';
import type { ReplySpec } from '../support/model-server.js';
import { gate, soon } from '../support/run.js';
import { promptOf, QUESTION, telephoneReply } from '../support/telephone.js';
import '../support/quiet-runtime.js';
import { temporaryFolder } from '../support/folder.js';

/** `durable-rag worker --http 0`, with a model that says what the test lets it say. */
async function served(reply: (prompt: string) => ReplySpec | Promise<ReplySpec>) {
  const { cli } = await commandLineOver((request) => reply(promptOf(request)));
  const worker = await cli.workerProcess({ DURABLE_RAG_HTTP: '0' });
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  onTestFinished(() => connection.close());
  await worker.says('/healthz');
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(worker.said()) ?? [];
  const client = await createClient({ connection, taskQueue: cli.taskQueue });
  return { worker, url, client };
}

/** Series that are there only once there was something to count. */
const ONCE_IT_HAPPENED = [
  'temporal_workflow_failed_total',
  'temporal_request_failure_total',
  'temporal_sticky_cache_total_forced_eviction_total',
];

const retrieval = {
  passages: [
    { title: 'Bell', text: 'Bell got the first patent for the telephone.' },
    { title: 'Gray', text: 'Gray filed a caveat on the same day.' },
  ],
};

interface State {
  parts: Record<string, string>;
}

/** The status of /readyz and what it says of the parts. */
async function ready(url: string | undefined): Promise<[number, Record<string, string>]> {
  const response = await fetch(`${url}/readyz`);
  return [response.status, ((await response.json()) as State).parts];
}

/** The samples of a series, by their labels without those of the exporter. */
function samples(text: string, name: string): [labels: string, value: number][] {
  const lines = text.split('\n').filter((line) => new RegExp(`^${name}[{ ]`).test(line));
  return lines.map((line) => {
    const [, labels = '', value] = /^[^{ ]+(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return [labels, Number(value)];
  });
}

describe('durable-rag worker with DURABLE_RAG_HTTP', () => {
  it('counts what questions took, and is not ready once it stops, though it lives until then', async () => {
    let refused = false;
    const held = gate();
    const reading = vi.fn(() => held.opened);
    const { url, client, worker } = await served(async (prompt) => {
      const { step, text } = telephoneReply(prompt);
      if (step === 'read') await reading();
      if (step !== 'generateCandidates' || refused) return { text };
      refused = true;
      return { status: 429, headers: { 'retry-after': '1' } };
    });
    expect((await ready(url))[0]).toBe(200);
    const first = await client.ask('sure', { question: QUESTION, retrieval });
    const again = await client.ask('sure', {
      question: QUESTION,
      retrieval,
      labels: { run: 'again' },
    });
    expect(again.answer).toBe(first.answer);

    const text = await soon(async () => {
      const scraped = await (await fetch(`${url}/metrics`)).text();
      // Where the server is slow to count, the gauge comes with a later scrape.
      expect(scraped).toContain('durable_rag_questions_under_way');
      return scraped;
    });
    const total = (name: string, labels = '') =>
      samples(text, name)
        .filter(([on]) => labels.split(' ').every((label) => on.includes(label)))
        .reduce((sum, [, value]) => sum + value, 0);
    const { usage } = first;
    expect(total('durable_rag_calls_total')).toBe(usage.calls + again.usage.calls);
    expect(total('durable_rag_cache_hits_total')).toBe(again.usage.cachedCalls);
    expect(total('durable_rag_tokens_total', 'kind="prompt"')).toBe(
      usage.promptTokens + again.usage.promptTokens,
    );
    expect(total('durable_rag_tokens_total', 'kind="completion"')).toBe(
      usage.completionTokens + again.usage.completionTokens,
    );
    expect(total('durable_rag_questions_total', 'method="sure" outcome="answered"')).toBe(2);
    const dollars = (usage.costUsd ?? Number.NaN) + (again.usage.costUsd ?? Number.NaN);
    expect(total('durable_rag_cost_dollars_sum')).toBeCloseTo(dollars, 9);
    expect(
      total('durable_rag_refusals_total', 'kind="RateLimited" step="generateCandidates"'),
    ).toBe(1);
    expect(total('durable_rag_limit_wait_seconds_sum')).toBeGreaterThanOrEqual(1);
    const steps = samples(text, 'durable_rag_step_seconds_count').filter(([on]) =>
      on.includes('step="rankPair"'),
    );
    expect(steps).toEqual([['method="sure",model="gpt-4o-mini",step="rankPair"', 4]]);
    expect(total('durable_rag_ready')).toBe(1);
    expect(samples(text, 'durable_rag_questions_under_way')).toHaveLength(1);
    // The SDK's own, those that the dashboard shows.
    const theirs = seriesOf(dashboard()).filter((name) => name.startsWith('temporal_'));
    const missing = theirs.filter((name) => samples(text, name).length === 0);
    expect(missing.filter((name) => !ONCE_IT_HAPPENED.includes(name))).toEqual([]);
    expect(text).not.toMatch(/sk-test-secret|telephone|service_name/);

    await client.start('base', { question: QUESTION, retrieval });
    await soon(() => expect(reading).toHaveBeenCalled());
    worker.child.kill('SIGTERM');
    await worker.says('Stopping');
    expect(await ready(url)).toEqual([503, { worker: 'stopping', temporal: 'ok', store: 'ok' }]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    held.open();
    expect((await worker.finished).code).toBe(0);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });
});

it('is not ready while the Temporal server or the store is away', async () => {
  const home = await temporaryFolder();
  const cable = await cableTo(inject('temporalAddress'));
  let isAway = false;
  const opened = () => {
    const store = new MemoryStore();
    const set = store.set.bind(store);
    store.set = async (key, value) => {
      if (isAway) throw new Error('away');
      return set(key, value);
    };
    return store;
  };
  const worker = await runWorker({
    connect: { address: cable.address },
    namespace: 'default',
    http: { host: '127.0.0.1', port: 0 },
    store: async () => opened(),
    env: {
      DURABLE_RAG_HOME: home,
      DURABLE_RAG_TASK_QUEUE: `ready-${randomUUID()}`,
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    },
    warn() {},
  });
  onTestFinished(() => cable.close());
  const parts = { worker: 'ok', temporal: 'ok', store: 'ok' };
  const tells = (status: number, now: object) =>
    soon(async () => expect(await ready(worker.healthUrl)).toEqual([status, { ...parts, ...now }]));
  await tells(200, {});
  isAway = true;
  await tells(503, { store: 'away' });
  isAway = false;
  cable.cut();
  await tells(503, { temporal: 'away' });
  cable.mend();
  await tells(200, {});
  await worker.stop();
});
