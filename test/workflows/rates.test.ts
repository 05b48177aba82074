/** Limits of requests and tokens, priority and fairness, on the real Temporal server. */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { createQuestionActivities } from '../../activities/index.js';
import { queueLimits } from '../../client/ask-limits.js';
import { queueRates } from '../../client/queue-rates.js';
import { Failure } from '../../core/failure.js';
import { tokenLimiter } from '../../llm/rates/token-limiter.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { type Line, type ScriptedModel, scriptedModel } from '../../testing/scripted-model.js';
import { questionWatch } from '../../workers/question-watch.js';
import { waitingActivities } from '../../workers/waiting-activities.js';
import { BATCHED } from '../../workflows/queue/priorities.js';
import { modelQueue } from '../../workflows/queue/task-queues.js';
import { type Harness, startHarness } from '../support/harness.js';
import { testPorts } from '../support/ports.js';
import type { changeRates } from '../support/rates-workflow.js';
import { telephoneScript } from '../support/telephone.js';

/** TASK_QUEUE_TYPE_ACTIVITY of Temporal's API. */
const ACTIVITIES = 2;

const tokensFrom = (ownLimit: number | null, store = new MemoryStore()) =>
  tokenLimiter({ store, queue: 'test', ownLimit });

const reads = (count: number): Line[] =>
  Array.from({ length: count }, () => ({ step: 'read', say: 'Bell' }));

async function started(model: ScriptedModel, changes = {}) {
  const harness = await startHarness(model, changes);
  onTestFinished(() => harness.close());
  const rates = queueRates(harness.connection, 'default');
  return {
    harness,
    limit: (perMinute: number) => rates.set(modelQueue(harness.taskQueue), perMinute),
  };
}

/** Starts questions as a run does, and gives their results. */
async function startBatch(
  { connection, taskQueue }: Harness,
  run: string,
  count: number,
  method = 'base',
  input = {},
) {
  const client = new Client({ connection });
  const handles = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      client.workflow.start(method, {
        workflowId: `${taskQueue}/${run}/${i}`,
        taskQueue,
        args: [{ question: `${run} asks ${i}?`, ...input }],
        priority: { priorityKey: BATCHED, fairnessKey: run },
      }),
    ),
  );
  return () => Promise.all(handles.map((handle) => handle.result()));
}

/** Which run or question each request was of, in order. */
const order = ({ requests }: ScriptedModel) =>
  requests.map(({ prompt }) => /(\w+) asks \d+\?/.exec(prompt)?.[1] ?? '');

describe('requests per minute', () => {
  it('are set and read by activities, with tokens per minute, until their workflow ends', async () => {
    const native = await NativeConnection.connect({ address: inject('temporalAddress') });
    const taskQueue = `rates-${randomUUID()}`;
    const rates = queueRates(native, 'default');
    const tokens = tokensFrom(9000);
    const worker = await Worker.create({
      connection: native,
      taskQueue,
      workflowsPath: fileURLToPath(new URL('../support/rates-workflow.ts', import.meta.url)),
      activities: createQuestionActivities({
        ...testPorts(scriptedModel([])),
        tokens,
        queueRates: rates,
        queueLimits: queueLimits(native, 'default'),
        watch: questionWatch(native, 'default'),
        waiting: waitingActivities(native, 'default', taskQueue),
      }),
    });
    const client = new Client({ connection: native });
    const change = (changes: Parameters<typeof changeRates>[0]) =>
      client.workflow.execute<typeof changeRates>('changeRates', {
        taskQueue,
        workflowId: randomUUID(),
        args: [changes],
      });
    await worker.runUntil(async () => {
      expect(await change({ requestsPerMinute: 500, tokensPerMinute: 40_000 })).toEqual([
        { requestsPerMinute: null, tokensPerMinute: 9000 },
        { requestsPerMinute: 500, tokensPerMinute: 40_000 },
      ]);
      // They end with the workflow that asked for them.
      await expect.poll(() => tokens.limit(), { timeout: 20_000 }).toBe(9000);
      expect(await rates.get(modelQueue(taskQueue))).toBeNull();
    });
    await native.close();
  });

  it('hold over all calls of a queue', async () => {
    const model = scriptedModel(reads(60));
    const { harness, limit } = await started(model);
    const times: number[] = [];
    const { complete } = harness.ports.llm;
    harness.ports.llm.complete = (...call) => {
      times.push(Date.now());
      return complete(...call);
    };
    await limit(600);
    await (await startBatch(harness, 'one', 60))();
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    // A second's worth may come at once.
    expect((60 - 10) / ((last - first) / 60_000) / 600).toBeLessThan(1.1);
  });
});

describe('under a limit', () => {
  it('a question that somebody waits for goes ahead of a batch', async () => {
    const model = scriptedModel(reads(41));
    const { harness, limit } = await started(model);
    await limit(0);
    const results = await startBatch(harness, 'batch', 40);
    const person = await harness.client.start('base', { question: 'person asks 1?' });
    await untilQueued(harness, 41);
    await limit(600);
    await Promise.all([results(), person.result()]);
    expect(order(model).indexOf('person')).toBeLessThan(5);
  });

  it('two runs take turns', async () => {
    const model = scriptedModel(reads(60));
    const { harness, limit } = await started(model);
    await limit(0);
    const first = await startBatch(harness, 'first', 40);
    await untilQueued(harness, 40);
    const second = await startBatch(harness, 'second', 20);
    await untilQueued(harness, 60);
    await limit(600);
    await Promise.all([first(), second()]);
    const ofSecond = order(model)
      .slice(0, 40)
      .filter((run) => run === 'second');
    expect(ofSecond.length).toBeGreaterThan(14);
    expect(order(model).slice(0, 10)).toEqual(expect.arrayContaining(['first', 'second']));
  });

  it('questions that are begun are ended before others are begun', async () => {
    const script = Array.from({ length: 20 }, () => telephoneScript()).flat();
    const model = scriptedModel(script);
    const { harness, limit } = await started(model);
    await limit(0);
    const results = await startBatch(harness, 'deep', 20, 'sure');
    await untilQueued(harness, 20);
    // A second's worth of calls may come at once: five of the twenty questions.
    await limit(300);
    await results();
    const steps = model.requests.map(({ step }) => step);
    expect(steps).toHaveLength(140);
    const before = steps.slice(0, steps.lastIndexOf('generateCandidates'));
    expect(before.filter((step) => step === 'rankPair').length).toBeGreaterThanOrEqual(10);
  });
});

describe('tokens per minute', () => {
  it('are waited for without a failure, a refusal or a worker held', async () => {
    const model = scriptedModel(reads(12));
    const store = new MemoryStore();
    const tokens = tokensFrom(null, store);
    const { harness } = await started(model, { tokens });
    // A call takes 110 tokens: one a second, so that several are seen to wait on a busy machine too.
    await tokens.setLimit(60 * 110);
    const input = { limits: { attempts: 1, refusals: 1 } };
    const results = await startBatch(harness, 'tokens', 12, 'base', input);
    await expect
      .poll(() => waiting(harness, 'tokens', 12), { timeout: 30_000, interval: 100 })
      .toBeGreaterThan(2);
    for (const result of await results()) {
      expect(result).toMatchObject({ outcome: 'answered', flags: [], usage: { calls: 1 } });
    }
    expect(model.left).toEqual([]);
  });

  it('are given by priority: to who waits first, to begun questions before new ones', async () => {
    const asked: [boolean | undefined, number][] = [];
    const limiter = tokensFrom(null);
    const tokens: typeof limiter = {
      ...limiter,
      reserve(request) {
        asked.push([request.first, request.horizonMs]);
        return limiter.reserve(request);
      },
    };
    const model = scriptedModel([...telephoneScript(), ...reads(1)]);
    const { harness } = await started(model, { tokens });
    await harness.client.ask('base', { question: 'Who?' });
    await (await startBatch(harness, 'run', 1, 'sure'))();
    const [person, generate, ...rest] = asked;
    expect(person).toEqual([true, 60_000]);
    expect(generate).toEqual([false, 10_000]);
    expect(rest).toEqual(Array(6).fill([false, 60_000]));
  });

  it('are not taken by what was paid for before', async () => {
    const model = scriptedModel(reads(1));
    const reserved: number[] = [];
    const limiter = tokensFrom(1_000_000);
    const tokens: typeof limiter = {
      ...limiter,
      reserve(request) {
        reserved.push(request.tokens);
        return limiter.reserve(request);
      },
    };
    const { harness } = await started(model, { tokens });
    for (const id of ['a', 'b']) {
      await harness.client.ask(
        'base',
        { question: 'Who?' },
        { workflowId: `${harness.taskQueue}-${id}` },
      );
    }
    expect(reserved).toHaveLength(1);
  });

  it('are given back where the provider refused, and kept where it may have used them', async () => {
    const settled: number[] = [];
    const limiter = tokensFrom(1_000_000);
    const tokens: typeof limiter = {
      ...limiter,
      async settle(_, used) {
        settled.push(used);
      },
    };
    const refused = new Failure('RateLimited', 'too many', { retryAfterMs: 1 });
    const lost = new Failure('Connection', 'reset', { retryAfterMs: 1 });
    const model = scriptedModel([
      { step: 'read', say: refused },
      { step: 'read', say: lost },
      ...reads(1),
    ]);
    const { harness } = await started(model, { tokens });
    const result = await harness.client.ask('base', { question: 'Who?' });
    expect(result.outcome).toBe('answered');
    expect(settled).toEqual([0, 110]);
  });
});

/** Waits until so many calls are in the queue of a limit of 0. */
async function untilQueued({ connection, taskQueue }: Harness, count: number): Promise<void> {
  const queued = async () => {
    const { stats } = await connection.workflowService.describeTaskQueue({
      namespace: 'default',
      taskQueue: { name: modelQueue(taskQueue) },
      taskQueueType: ACTIVITIES,
      reportStats: true,
    });
    return Number(stats?.approximateBacklogCount ?? 0);
  };
  await expect.poll(queued, { timeout: 30_000, interval: 200 }).toBeGreaterThanOrEqual(count);
}

/** How many calls of a run wait for their turn, and are with no worker. */
async function waiting({ connection, taskQueue }: Harness, run: string, count: number) {
  const client = new Client({ connection });
  const descriptions = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      client.workflow.getHandle(`${taskQueue}/${run}/${i}`).describe(),
    ),
  );
  const SCHEDULED = 1;
  return descriptions
    .flatMap(({ raw }) => raw.pendingActivities ?? [])
    .filter(
      ({ state, lastFailure }) =>
        state === SCHEDULED && lastFailure?.applicationFailureInfo?.type === 'AwaitsTokens',
    ).length;
}
