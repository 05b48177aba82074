/** Whole multi-step methods over a batch endpoint: the same answers, each request paid once. */
import { Client } from '@temporalio/client';
import { expect, it, vi } from 'vitest';
import type { RunProgress } from '../../../core/run/run.js';
import { fileName } from '../../../stores/runs/file-results.js';
import type { RunAnswer } from '../../../stores/runs/run-store.js';
import type { LineFault } from '../../support/batch-server.js';
import { handleOf, historiesOf } from '../../support/history.js';
import { SOON, setUpBatching } from '../../support/provider-batches.js';
import { gate, setUpRun, soon } from '../../support/run.js';

vi.setConfig({ testTimeout: 120_000 });

type SetUp = Awaited<ReturnType<typeof setUpBatching>>;

async function answersOf({ harness, spec }: SetUp, run: string = spec.run): Promise<RunAnswer[]> {
  const answers: RunAnswer[] = [];
  for await (const { question } of harness.ports.runs.questions(run)) {
    const answer = await harness.ports.runs.get(run, question.id);
    if (answer) answers.push(answer);
  }
  return answers;
}

/** What must be the same however the calls were made. */
function comparable({ id, result, scores }: RunAnswer) {
  return { id, scores, outcome: result?.outcome, answer: result?.answer, chain: result?.chain };
}

/** The names of a question's activities, in the order of the alphabet: some go side by side. */
async function stepsOf({ harness }: SetUp, workflowId: string) {
  const { events } = await handleOf(harness.connection, workflowId).fetchHistory();
  const scheduled = (events ?? []).map((event) => event.activityTaskScheduledEventAttributes);
  return scheduled.flatMap((one) => one?.activityType?.name ?? []).sort();
}

const sure = { method: 'sure', options: { passages: 2 } } as const;

it('answers SuRe in three waves, as call by call, at half the price', async () => {
  // A wave comes in over seconds where the machine is busy.
  const transport = { ...SOON, waitSeconds: 3 };
  const set = await setUpBatching(15, {}, { ...sure, transport });
  const { client, spec, server, paidMost } = set;
  const { outcomes, usage } = await (await client.startRun(spec)).result();
  expect(outcomes).toMatchObject({ answered: 15, failed: 0 });
  expect(server.book.single).toBe(0);
  expect(paidMost()).toBe(1);
  expect(server.batches.length).toBeGreaterThanOrEqual(3);
  expect(server.batches.length).toBeLessThanOrEqual(5);
  expect(usage.calls).toBe(15 * 7);
  expect(usage.costUsd).toBeCloseTo(Number(usage.standardUsd) / 2, 9);

  const { transport: _, ...oneByOne } = spec;
  // The cache would serve all of it.
  const again = { ...oneByOne, run: `${spec.run}-again`, cache: false };
  const usual = await (await client.startRun(again)).result();
  expect(usual.usage.costUsd).toBeCloseTo(Number(usage.standardUsd), 9);
  expect((await answersOf(set)).map(comparable)).toEqual(
    (await answersOf(set, again.run)).map(comparable),
  );
  // Each question took the same steps, under the same names, the same often.
  for (const number of [0, 14]) {
    const steps = await Promise.all(
      [spec.run, again.run].map((run) => stepsOf(set, `eval/${run}/${fileName(`n/${number}`)}`)),
    );
    expect(steps[0]).toEqual(steps[1]);
    expect(steps[0]?.filter((name) => name === 'rankPair')).toHaveLength(2);
  }
});

it('sends equal requests once, and gives each who waits the answer', async () => {
  const set = await setUpBatching(6, {}, { options: { passages: 0 } });
  const { client, spec, server } = set;
  const twice = { ...spec, run: `${spec.run}-b` };
  const handles = await Promise.all([client.startRun(spec), client.startRun(twice)]);
  const ended = await Promise.all(handles.map((handle) => handle.result()));
  expect(ended.map(({ outcomes }) => outcomes.answered)).toEqual([6, 6]);
  expect(server.batches.flatMap(({ lines }) => lines)).toHaveLength(6);
  const cached = ended.map(({ usage }) => usage.cachedCalls);
  expect(cached.reduce((sum, one) => sum + one)).toBe(6);
  const cost = ended.reduce((sum, { usage }) => sum + Number(usage.costUsd), 0);
  expect(cost).toBeGreaterThan(0);
});

it('survives every way in which a batch can end', async () => {
  const faults = [
    'lost-answer',
    'token-limit',
    { expires: 0.5 },
    'all-failed',
    { cancelled: 0.5 },
    'breaks',
    'not-made',
  ] as const;
  const lines: Record<number, LineFault> = {
    0: { status: 500, error: { message: 'broken' } },
    1: 'missing',
    2: 'twice',
    3: 'unknown-id',
    4: { code: 'request_timeout' },
    5: { status: 400, error: { param: 'temperature', message: 'Unsupported value' } },
  };
  const set = await setUpBatching(
    20,
    {
      batch: (n) => faults[n],
      line: ({ messages }, times) => {
        const [, number] = /Who is number (\d+)/.exec(messages[0]?.content ?? '') ?? [];
        return times === 0 ? lines[Number(number)] : undefined;
      },
    },
    { options: { passages: 0 }, transport: { ...SOON, waitSeconds: 0.5 } },
  );
  const { outcomes } = await (await set.client.startRun(set.spec)).result();
  expect(outcomes).toMatchObject({ answered: 20, failed: 0 });
  expect(set.server.book.single).toBe(0);
  expect(set.paidMost()).toBe(1);
  const last = set.server.batches.at(-1)?.lines ?? [];
  // What the model refuses is left out once that is known.
  expect(last.length).toBeGreaterThan(0);
});

it('keeps what is under way below what the model may have enqueued', async () => {
  // About as much as six of them have.
  const set = await setUpBatching(
    12,
    { mostTokens: 180, durationMs: 3000 },
    { options: { passages: 0 }, transport: { ...SOON, waitSeconds: 2 } },
  );
  const { outcomes } = await (await set.client.startRun(set.spec)).result();
  expect(outcomes).toMatchObject({ answered: 12, failed: 0 });
  expect(set.paidMost()).toBe(1);
  // It is learned of a batch or two; the others wait for those under way.
  const refused = set.server.batches.filter(({ status }) => status === 'failed');
  expect(refused.length).toBeGreaterThanOrEqual(1);
  expect(refused.length).toBeLessThanOrEqual(4);
  expect(set.server.batches.length).toBeLessThanOrEqual(12);
});

it('goes on in new histories while its calls wait for a batch', async () => {
  const set = await setUpBatching(7, {}, { options: { passages: 0 } });
  const { harness, spec, workflowId, server } = set;
  const { workflow } = new Client({ connection: harness.connection });
  const handle = await workflow.start('evaluateRun', {
    ...{ workflowId, taskQueue: harness.taskQueue, args: [spec, null, 2] },
  });
  const { outcomes } = (await handle.result()) as RunProgress;
  expect(outcomes.answered).toBe(7);
  expect(server.batches.length).toBeLessThan(7);
  const histories = await historiesOf(harness.connection, workflowId, handle.firstExecutionRunId);
  expect(histories.length).toBeGreaterThan(2);
});

it('asks anew for what a cut file has lost, and for nothing else', async () => {
  const set = await setUpBatching(
    8,
    { batch: (n) => (n === 0 ? 'cut' : undefined) },
    { options: { passages: 0 } },
  );
  const { outcomes } = await (await set.client.startRun(set.spec)).result();
  expect(outcomes.answered).toBe(8);
  const times = [...set.server.book.paid.values()].sort();
  expect(times).toEqual([1, 1, 1, 1, 1, 1, 1, 2]);
});

it('goes by itself when no batch has answered for as long as it may wait', async () => {
  const set = await setUpBatching(
    4,
    { batch: () => ({ expires: 0 }), durationMs: 100 },
    { options: { passages: 0 }, transport: { ...SOON, patienceSeconds: 6 } },
  );
  const { outcomes, usage } = await (await set.client.startRun(set.spec)).result();
  expect(outcomes.answered).toBe(4);
  expect(set.server.book.single).toBe(4);
  expect(set.server.batches.length).toBeGreaterThan(0);
  expect(usage.standardUsd).toBeUndefined();
});

it('fails a step as the call by itself would have failed', async () => {
  const set = await setUpBatching(
    3,
    {
      line: ({ messages }) =>
        messages[0]?.content.includes('number 1?')
          ? { status: 400, error: { code: 'context_length_exceeded', message: 'too long' } }
          : undefined,
    },
    { options: { passages: 0 } },
  );
  const { outcomes } = await (await set.client.startRun(set.spec)).result();
  expect(outcomes).toMatchObject({ answered: 2, failed: 1 });
  const [, failed] = await answersOf(set);
  expect(failed?.result?.failure).toMatchObject({ type: 'ContextTooLong', step: 'read' });
});

it('forgets a run that is cancelled, and keeps the answers that come all the same', async () => {
  const set = await setUpBatching(5, { durationMs: 3_600_000 }, { options: { passages: 0 } });
  const { client, spec, server } = set;
  const handle = await client.startRun(spec);
  await soon(() => expect(server.batches).toHaveLength(1));
  const shown = await soon(async () => {
    const [pool] = await client.listPools();
    // What waits is told with a heartbeat, which comes some seconds later.
    if (!pool?.open[0]?.id || pool.waiting === null) throw new Error('no batch is shown yet');
    return pool;
  });
  expect(shown).toMatchObject({ model: 'm', waiting: 0, open: [{ requests: 5 }] });
  expect(shown.open[0]?.id).toBe(server.batches[0]?.id);
  await handle.cancel();
  await handle.result().catch(() => {});
  server.advance(3_600_000);
  const later = { ...spec, run: `${spec.run}-later` };
  const { outcomes, usage } = await (await client.startRun(later)).result();
  expect(outcomes.answered).toBe(5);
  expect(server.batches).toHaveLength(1);
  expect(usage.cachedCalls).toBe(5);
});

it('is missed within seconds until it is in the pool, and after that a minute later', async () => {
  const put = gate();
  const set = await setUpBatching(1, { durationMs: 3_600_000 }, { options: { passages: 0 } });
  const { pool, harness, workflowId } = set;
  const write = pool.put.bind(pool);
  pool.put = async (...request) => {
    await put.opened;
    await write(...request);
  };
  const handle = await set.client.startRun(set.spec);
  const heartbeatOf = async (attempt: number) => {
    const question = handleOf(harness.connection, `${workflowId}/${fileName('n/0')}`);
    const { raw } = await question.describe();
    const [call] = raw.pendingActivities ?? [];
    if (call?.activityType?.name !== 'read' || call.attempt !== attempt) return undefined;
    return Number(call.activityOptions?.heartbeatTimeout?.seconds);
  };
  await soon(async () => expect(await heartbeatOf(1)).toBe(10));
  put.open();
  await soon(async () => expect(await heartbeatOf(1)).toBe(60));
  await handle.cancel();
  await handle.result().catch(() => {});
});

it('tells one who came while its request was being answered to look again', async () => {
  const set = await setUpBatching(1, { durationMs: 3_600_000 }, { options: { passages: 0 } });
  const handle = await set.client.startRun(set.spec);
  await soon(() => expect(set.server.batches).toHaveLength(1));
  const [pool = ''] = (await set.client.listPools()).map((one) => one.pool);
  const [request] = await set.pool.requests(pool);
  const [name = ''] = await set.pool.waiterNames(pool);
  const waiter = await set.pool.waiter(pool, name);
  // As of a question that asks the same and came too late to be told: no request is left for it.
  const other = name.replace(/^.{8}/, '00000000');
  if (!waiter || !request) throw new Error('nothing is in the pool');
  const key = `w/${pool}/${other}`;
  await set.store.set(key, JSON.stringify({ ...waiter, name: undefined }));
  await soon(async () => expect(await set.store.get(key)).toBeUndefined());
  // It was this very activity that was told: its next attempt is in the pool again.
  await soon(async () => expect(await set.pool.waiterNames(pool)).toEqual([name]));
  set.server.advance(3_600_000);
  expect((await handle.result()).outcomes.answered).toBe(1);
  expect(set.paidMost()).toBe(1);
});

it('refuses a run whose workers have no batch endpoint', async () => {
  const { client, spec } = await setUpRun(1, () => 'Bell', { transport: SOON });
  const run = (await client.startRun(spec)).result();
  await expect(run).rejects.toThrow(/has no batch endpoint/);
});
