/** Limits of requests and tokens, priority and fairness, on the real Temporal server. */
import { Client } from '@temporalio/client';
import { describe, expect } from 'vitest';
import { queueRates } from '../../client/queue-rates.js';
import { tokenLimiter } from '../../llm/rates/token-limiter.js';
import { MemoryStore } from '../../stores/memory-store.js';
import {
  type ScriptedModel,
  type ScriptedReply,
  scriptedModel,
} from '../../testing/scripted-model.js';
import { BATCHED } from '../../workflows/queue/priorities.js';
import { modelQueue } from '../../workflows/queue/task-queues.js';
import { type Harness, startHarness } from '../support/harness.js';
import { handleOf } from '../support/history.js';
import { soon } from '../support/run.js';
import { afterTest, sideBySide as it } from '../support/side-by-side.js';
import { telephoneScript } from '../support/telephone.js';

/** TASK_QUEUE_TYPE_ACTIVITY of Temporal's API. */
const ACTIVITIES = 2;

const limiter = () => tokenLimiter({ store: new MemoryStore(), queue: 'test', ownLimit: null });

const reads = (count: number): ScriptedReply[] =>
  Array.from({ length: count }, () => ({ step: 'read', say: 'Bell' }));

async function started(model: ScriptedModel, changes = {}) {
  const harness = await startHarness(model, changes);
  afterTest(() => harness.close());
  const rates = queueRates(new Client({ connection: harness.connection }));
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
  { callsEach, ...input }: { callsEach?: number; limits?: object } = {},
) {
  const client = new Client({ connection });
  const handles = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      client.workflow.start(method, {
        workflowId: `${taskQueue}/${run}/${i}`,
        taskQueue,
        args: [{ question: `${run} asks ${i}?`, ...input }, { callsEach }],
        priority: { priorityKey: BATCHED, fairnessKey: run },
      }),
    ),
  );
  return () => Promise.all(handles.map((handle) => handle.result()));
}

/** When the server gave out the calls of a run; a busy worker makes several of them at once. */
async function givenOut({ connection, taskQueue }: Harness, run: string, count: number) {
  const ids = Array.from({ length: count }, (_, i) => `${taskQueue}/${run}/${i}`);
  const histories = await Promise.all(ids.map((id) => handleOf(connection, id).fetchHistory()));
  return histories.map(({ events }) => {
    const started = events?.findLast((event) => event.activityTaskStartedEventAttributes);
    const { seconds, nanos } = started?.eventTime ?? {};
    return Number(seconds) * 1000 + Number(nanos) / 1e6;
  });
}

/** Which run or question each request was of, in order. */
const order = ({ requests }: ScriptedModel) =>
  requests.map(({ prompt }) => /(\w+) asks \d+\?/.exec(prompt)?.[1] ?? '');

describe('requests per minute', () => {
  it('hold over all calls of a queue', async () => {
    const model = scriptedModel(reads(30));
    const { harness, limit } = await started(model);
    await limit(600);
    await (await startBatch(harness, 'one', 30))();
    const times = await givenOut(harness, 'one', 30);
    const [first, last] = [Math.min(...times), Math.max(...times)];
    // A second's worth may come at once.
    expect((30 - 10) / ((last - first) / 60_000) / 600).toBeLessThan(1.1);
  });
});

describe('under a limit', () => {
  it('questions that somebody waits for go ahead of a batch', async () => {
    const model = scriptedModel(reads(10 + 4));
    const { harness, limit } = await started(model);
    await limit(0);
    const results = await startBatch(harness, 'batch', 10);
    const people = [0, 1, 2, 3].map(async (i) => {
      const workflowId = `${harness.taskQueue}/person/${i}`;
      return harness.client.ask('base', { question: `Who is ${i}?` }, { workflowId });
    });
    await untilQueued(harness, 10 + 4);
    // One a second, so that the server gives them out in its order.
    await limit(60);
    await Promise.all(people);
    await limit(6000);
    await results();
    const last = Math.max(...(await givenOut(harness, 'person', 4)));
    const ahead = (await givenOut(harness, 'batch', 10)).filter((at) => at < last);
    // In turns with them three would be.
    expect(last).toBeGreaterThan(0);
    expect(ahead.length).toBeLessThan(2);
  });

  it('a run of one call a question gets its half beside one of many', async () => {
    const deep = Array.from({ length: 12 }, () => telephoneScript()).flat();
    const model = scriptedModel([...deep, ...reads(30)]);
    const { harness, limit } = await started(model);
    await limit(0);
    await startBatch(harness, 'many', 12, 'sure', { callsEach: 7 });
    await untilQueued(harness, 12);
    await startBatch(harness, 'one', 30, 'base', { callsEach: 1 });
    await untilQueued(harness, 42);
    await limit(900);
    await soon(() => expect(model.requests.length).toBeGreaterThanOrEqual(50));
    const ofOne = order(model)
      .slice(0, 50)
      .filter((run) => run === 'one');
    // By the calls that wait it would be a tenth.
    expect(ofOne.length).toBeGreaterThan(18);
  });

  it('questions that are begun are asked on before others are begun', async () => {
    const model = scriptedModel(Array.from({ length: 12 }, () => telephoneScript()).flat());
    const { harness, limit } = await started(model);
    await limit(0);
    await startBatch(harness, 'deep', 12, 'sure', { callsEach: 7 });
    await untilQueued(harness, 12);
    // One in two seconds, so that some are left to be begun on a busy machine too.
    await limit(30);
    await soon(async () => expect(model.requests.length).toBeGreaterThan(1));
    await limit(0);
    // The next calls of those that have begun wait beside the first ones of the others.
    await untilQueued(harness, 12);
    const begun = model.requests.length;
    expect(begun).toBeLessThan(10);
    await limit(600);
    await soon(() => expect(model.requests.length).toBeGreaterThanOrEqual(begun + 10));
    // Ten may come at once, which a worker makes in any order.
    const steps = model.requests.slice(begun, begun + 10).map(({ step }) => step);
    expect(steps.filter((step) => step !== 'generateCandidates').length).toBeGreaterThanOrEqual(
      begun,
    );
  });
});

describe('tokens per minute', () => {
  it('are waited for without a failure, a refusal or a worker held', async () => {
    const model = scriptedModel(reads(12));
    const tokens = limiter();
    const { harness } = await started(model, { tokens });
    // A call takes 110 tokens: one a second, so that several are seen to wait on a busy machine too.
    await tokens.setLimit(60 * 110);
    const input = { limits: { attempts: 1, refusals: 1 } };
    const results = await startBatch(harness, 'tokens', 12, 'base', input);
    await soon(async () => expect(await waiting(harness, 'tokens', 12)).toBeGreaterThan(2));
    for (const result of await results()) {
      expect(result).toMatchObject({ outcome: 'answered', flags: [], usage: { calls: 1 } });
    }
    expect(model.left).toEqual([]);
  });

  it('are given first to who waits', async () => {
    const asked: [boolean | undefined, number][] = [];
    const usual = limiter();
    const tokens: typeof usual = {
      ...usual,
      reserve(request) {
        asked.push([request.first, request.horizonMs]);
        return usual.reserve(request);
      },
    };
    const model = scriptedModel([...telephoneScript(), ...reads(1)]);
    const { harness } = await started(model, { tokens });
    await harness.client.ask('base', { question: 'Who?' });
    await (await startBatch(harness, 'run', 1, 'sure'))();
    const [person, ...rest] = asked;
    expect(person).toEqual([true, 60_000]);
    expect(rest).toEqual(Array(7).fill([false, 10_000]));
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
  await soon(async () => expect(await queued()).toBeGreaterThanOrEqual(count));
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
