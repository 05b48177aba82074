/** A worker process ends in the middle of a question; another one finishes it. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { describe, expect, inject, it, type TestContext, vi } from 'vitest';
import { createClient } from '../../client/create-client.js';
import { openSearch } from '../../retrieval/open-search.js';
import { ensureSampleCorpus } from '../../retrieval/sample-corpus.js';
import type { ScriptedStep } from '../../testing/scripted-model.js';
import { startModelServer } from '../support/model-server.js';
import { promptOf, QUESTION, telephoneReply } from '../support/telephone.js';
import { startWorkerProcess } from '../support/worker-process.js';

const SOON = { timeout: 50_000, interval: 50 };

/** A model server that holds some answers back until `open`, and what a worker process needs. */
async function setUp(
  { onTestFinished }: TestContext,
  isHeld: (step: ScriptedStep, prompt: string) => boolean,
) {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const server = await startModelServer({
    async reply(request) {
      const prompt = promptOf(request);
      const { step, text } = telephoneReply(prompt);
      if (isHeld(step, prompt)) await opened;
      return { text };
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-recovery-'));
  await ensureSampleCorpus(await openSearch({ corpora: join(folder, 'corpora') }));
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  const taskQueue = `test-${randomUUID()}`;
  const client = await createClient({ connection, taskQueue });
  onTestFinished(async () => {
    open();
    await connection.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const startWorker = (env: Record<string, string> = {}) => {
    const worker = startWorkerProcess({
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      OPENAI_BASE_URL: server.baseUrl,
      DURABLE_RAG_HOME: folder,
      DURABLE_RAG_STORE: join(folder, 'store'),
      DURABLE_RAG_TASK_QUEUE: taskQueue,
      ...env,
    });
    onTestFinished(async () => {
      await worker.end('SIGKILL');
    });
    return worker;
  };
  return {
    client,
    server,
    startWorker,
    open,
    /** How often each call was sent; those that differ in nothing are one. */
    timesSent() {
      const times: Record<string, number> = {};
      for (const { body } of server.requests) {
        const prompt = promptOf(body);
        const which = /Prediction: (.*)|Passage 1: (\w+)/.exec(prompt)?.slice(1).join('') ?? '';
        const call = `${telephoneReply(prompt).step} ${which}`.trim();
        times[call] = (times[call] ?? 0) + 1;
      }
      return times;
    },
  };
}

describe.concurrent('a question whose worker', () => {
  it('is killed goes on where it was, and pays for no completed call again', async (test) => {
    // Bell's verdict is asked for as soon as Bell's summary has come back; Gray's summary is out.
    const { client, server, startWorker, open, timesSent } = await setUp(
      test,
      (step, prompt) =>
        step === 'validate' || (step === 'summarize' && prompt.includes('Prediction: (b)')),
    );
    const first = startWorker();
    const handle = await client.start('sure', { question: QUESTION }, { workflowId: randomUUID() });
    const before = {
      generateCandidates: 1,
      'summarize (a) Bell': 1,
      'summarize (b) Gray': 1,
      'validate Bell': 1,
    };
    await vi.waitFor(() => expect(timesSent(), first.output()).toEqual(before), SOON);
    expect(await first.end('SIGKILL')).toBeNull();
    await vi.waitFor(() => expect(server.inFlight).toBe(0), SOON);
    open();

    startWorker();
    expect(await handle.result()).toMatchObject({
      outcome: 'answered',
      answer: 'Bell',
      usage: { calls: 7, cachedCalls: 0 },
      chain: {
        candidates: [{ summary: 'Bell was granted it.' }, { summary: 'Gray filed a caveat.' }],
      },
    });
    expect(timesSent()).toEqual({
      generateCandidates: 1,
      'summarize (a) Bell': 1,
      'summarize (b) Gray': 2,
      'validate Bell': 2,
      'validate Gray': 1,
      'rankPair Bell': 1,
      'rankPair Gray': 1,
    });
  });

  it('is stopped goes on with another one, and pays for no open call again', async (test) => {
    const { client, server, startWorker, open, timesSent } = await setUp(
      test,
      (step) => step === 'summarize',
    );
    const first = startWorker();
    const handle = await client.start('sure', { question: QUESTION }, { workflowId: randomUUID() });
    await vi.waitFor(() => expect(server.inFlight, first.output()).toBe(2), SOON);
    const ended = first.end('SIGTERM');
    startWorker();
    // Longer than a stop took that waited for nothing.
    await sleep(5000);
    expect(server.inFlight).toBe(2);
    open();
    expect(await ended, first.output()).toBe(0);
    const result = await handle.result();
    expect(result).toMatchObject({ outcome: 'answered', answer: 'Bell', usage: { calls: 7 } });
    expect(Object.values(timesSent())).toEqual(Array(7).fill(1));
    expect(server.aborted).toBe(0);
  });

  it('is stopped and does not get its answers in time goes on with another one', async (test) => {
    const { client, server, startWorker, open, timesSent } = await setUp(
      test,
      (step) => step === 'summarize',
    );
    const first = startWorker({ DURABLE_RAG_GRACE: '1' });
    const handle = await client.start('sure', { question: QUESTION }, { workflowId: randomUUID() });
    await vi.waitFor(() => expect(server.inFlight, first.output()).toBe(2), SOON);
    expect(await first.end('SIGTERM'), first.output()).toBe(0);
    await vi.waitFor(() => expect(server.inFlight).toBe(0), SOON);
    open();

    startWorker();
    const result = await handle.result();
    expect(result).toMatchObject({ outcome: 'answered', answer: 'Bell', usage: { calls: 7 } });
    expect(timesSent()).toEqual({
      generateCandidates: 1,
      'summarize (a) Bell': 2,
      'summarize (b) Gray': 2,
      'validate Bell': 1,
      'validate Gray': 1,
      'rankPair Bell': 1,
      'rankPair Gray': 1,
    });
  });
});
