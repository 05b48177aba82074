import { expect } from 'vitest';
import { safeFileName } from '../../../stores/runs/file-results.js';
import type { RunAnswer } from '../../../stores/runs/run-store.js';
import { handleOf, scheduledIn } from '../../support/history.js';
import { SOON, setUpBatching } from '../../support/provider-batches.js';
import { gate, setUpRun, soon } from '../../support/run.js';
import { sideBySide as it } from '../../support/side-by-side.js';

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
  const history = await handleOf(harness.connection, workflowId).fetchHistory();
  return scheduledIn(history)
    .map(({ name }) => name)
    .sort();
}

const sure = { method: 'sure', options: { passages: 2 } } as const;

it('answers SuRe in three waves, as call by call, at half the price', async () => {
  // A wave comes in over seconds where the machine is busy.
  const transport = { ...SOON, waitSeconds: 3 };
  const set = await setUpBatching(6, {}, { ...sure, transport });
  const { client, spec, server, paidMost } = set;
  const { outcomes, usage } = await (await client.startRun(spec)).result();
  expect(outcomes).toMatchObject({ answered: 6, failed: 0 });
  expect(server.book.single).toBe(0);
  expect(paidMost()).toBe(1);
  // Three waves of all questions together; each by itself would make three batches of its own.
  expect(server.batches.length).toBeGreaterThanOrEqual(3);
  expect(server.batches.length).toBeLessThan(6 * 3);
  expect(usage.calls).toBe(6 * 7);
  expect(usage.costUsd).toBeCloseTo(Number(usage.standardUsd) / 2, 9);

  const { transport: _, ...oneByOne } = spec;
  // The cache would serve all of it.
  const again = { ...oneByOne, run: `${spec.run}-again`, cache: false };
  const usual = await (await client.startRun(again)).result();
  // Without what an attempt may have cost that a busy machine lost sight of.
  const paid = Number(usual.usage.costUsd) - (usual.usage.estimated?.costUsd ?? 0);
  expect(paid).toBeCloseTo(Number(usage.standardUsd), 9);
  expect((await answersOf(set)).map(comparable)).toEqual(
    (await answersOf(set, again.run)).map(comparable),
  );
  // How long a call ran that came by batch, nobody knows.
  const times = async (run: string) =>
    (await answersOf(set, run)).map(({ result }) => typeof result?.workingSeconds);
  expect(await times(spec.run)).toEqual(Array(6).fill('undefined'));
  expect(await times(again.run)).toEqual(Array(6).fill('number'));
  // Each question took the same steps, under the same names, the same often.
  for (const number of [0, 5]) {
    const steps = await Promise.all(
      [spec.run, again.run].map((run) =>
        stepsOf(set, `eval/${run}/${safeFileName(`n/${number}`)}`),
      ),
    );
    expect(steps[0]).toEqual(steps[1]);
    expect(steps[0]?.filter((name) => name === 'rankPair')).toHaveLength(2);
  }
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

it('forgets a run that is cancelled, and keeps the answers that come all the same', async () => {
  // However long the five take to come in.
  const transport = { ...SOON, waitSeconds: 20, size: 5 };
  const input = { options: { passages: 0 }, transport };
  const set = await setUpBatching(5, { durationMs: 3_600_000 }, input);
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
    const question = handleOf(harness.connection, `${workflowId}/${safeFileName('n/0')}`);
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
  const [request] = await set.pool.requests.list(pool);
  const [{ id: name } = { id: '' }] = await set.pool.waiters.list(pool);
  const waiter = await set.pool.waiters.get(pool, name);
  // As of a question that asks the same and came too late to be told: no request is left for it.
  const other = name.replace(/^.{8}/, '00000000');
  if (!waiter || !request) throw new Error('nothing is in the pool');
  const key = `w/${pool}/${other}`;
  await set.store.set(key, JSON.stringify({ ...waiter, name: undefined }));
  await soon(async () => expect(await set.store.get(key)).toBeUndefined());
  // It was this very activity that was told: its next attempt is in the pool again.
  await soon(async () => expect(await set.pool.waiters.list(pool)).toMatchObject([{ id: name }]));
  set.server.advance(3_600_000);
  expect((await handle.result()).outcomes.answered).toBe(1);
  expect(set.paidMost()).toBe(1);
});

it('refuses a run whose workers have no batch endpoint', async () => {
  const { client, spec } = await setUpRun(1, () => 'Bell', { transport: SOON });
  const run = (await client.startRun(spec)).result();
  await expect(run).rejects.toThrow(/has no batch endpoint/);
});
