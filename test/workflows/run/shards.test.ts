/** A run by batch whose window is wider than one workflow may have children. */
import { Client } from '@temporalio/client';
import { expect } from 'vitest';
import { stuckWorkflows } from '../../../client/stuck-workflows.js';
import { safeFileName } from '../../../stores/runs/file-results.js';
import { handleOf, historiesOf } from '../../support/history.js';
import { SOON, setUpBatching } from '../../support/provider-batches.js';
import { soon } from '../../support/run.js';
import { sideBySide as it } from '../../support/side-by-side.js';

type SetUp = Awaited<ReturnType<typeof setUpBatching>>;

/** Four places a shard, and so many questions begun a history. */
const startSharded = ({ startInHistories }: SetUp, perHistory = 600) =>
  startInHistories(perHistory, 4);

/** Ids of the workflows below the run that are under way. */
async function underWay({ harness, workflowId }: SetUp): Promise<string[]> {
  const { workflow } = new Client({ connection: harness.connection });
  const query = `WorkflowId STARTS_WITH '${workflowId}/' AND ExecutionStatus = 'Running'`;
  const ids: string[] = [];
  for await (const info of workflow.list({ query })) ids.push(info.workflowId);
  return ids.sort();
}

/** A batch is made when so many requests wait for one, and is looked at every five seconds. */
function waveOf(size: number) {
  const transport = { ...SOON, waitSeconds: 20, size };
  return { options: { passages: 0 }, transport };
}

it('fills a batch over shards, in new histories, with the questions in their order', async () => {
  const set = await setUpBatching(16, {}, waveOf(8));
  const { handle, histories } = await startSharded(set, 5);
  const { outcomes, done } = await handle.result();
  expect({ outcomes, done }).toMatchObject({ outcomes: { answered: 16 }, done: 16 });
  expect(set.paidMost()).toBe(1);
  // The first wave is as wide as the window, which no shard is by itself.
  expect(set.server.batches[0]?.lines).toHaveLength(8);
  const ids: string[] = [];
  for await (const { question } of set.harness.ports.runs.questions(set.spec.run)) {
    ids.push(question.id);
  }
  expect(ids).toEqual(Array.from({ length: 16 }, (_, i) => `n/${i}`));
  const { connection } = set.harness;
  const all = await histories();
  expect(all.length).toBeGreaterThan(2);
  // It was started without a memo, and made its own.
  expect((await set.client.describeRun(set.spec.run))?.input).toMatchObject({
    run: set.spec.run,
  });
  // A shard goes on in a new history as well, with what is under way, before its own is long.
  const begun = all.flatMap(({ events }) =>
    (events ?? []).flatMap(
      (event) => event.childWorkflowExecutionStartedEventAttributes?.workflowExecution ?? [],
    ),
  );
  const ofShards = await Promise.all(
    begun.map(({ workflowId, runId }) => historiesOf(connection, workflowId ?? '', runId ?? '')),
  );
  expect(Math.max(...ofShards.map(({ length }) => length))).toBeGreaterThan(1);
  // None waits for more when the run is over.
  await soon(async () => expect(await underWay(set)).toEqual([]));
});

it('is paused, set, and goes on over shards; one that was idle is replaced', async () => {
  const set = await setUpBatching(10, { durationMs: 3_600_000 }, waveOf(5));
  const { handle: told } = await startSharded(set);
  await soon(() => expect(set.server.batches[0]?.lines).toHaveLength(5));
  expect(await told.pause()).toMatchObject({ state: 'paused', running: 5 });
  set.server.advance(3_600_000);
  await soon(async () => expect(await told.progress()).toMatchObject({ done: 5, running: 0 }));
  expect(await told.set({ concurrency: 50_000 })).toMatchObject({
    settings: { concurrency: 50_000 },
  });
  // As it would end by itself after a minute without questions.
  const shards = await soon(async () => {
    const found = (await underWay(set)).filter((id) => id.includes('/shards/'));
    expect(found).toHaveLength(2);
    return found;
  });
  await Promise.all(shards.map((id) => handleOf(set.harness.connection, id).signal('close')));
  await soon(async () => expect(await underWay(set)).toEqual([]));
  await told.resume();
  await soon(() => expect(set.server.batches[1]?.lines).toHaveLength(5));
  set.server.advance(3_600_000);
  expect(await told.result()).toMatchObject({ done: 10, outcomes: { answered: 10 } });
  expect(set.paidMost()).toBe(1);
});

it('cancels what is under way in every shard, of whichever history, and goes on later', async () => {
  const set = await setUpBatching(6, { durationMs: 3_600_000 }, waveOf(6));
  const { handle: told } = await startSharded(set, 5);
  await soon(() => expect(set.server.batches[0]?.lines).toHaveLength(6));
  await told.cancel();
  await expect(told.result()).rejects.toThrow();
  expect(await underWay(set)).toEqual([]);
  for (const number of [0, 5]) {
    const id = `${set.workflowId}/${safeFileName(`n/${number}`)}`;
    const { status } = await handleOf(set.harness.connection, id).describe();
    expect(status.name).toBe('CANCELLED');
  }
  set.server.advance(3_600_000);
  const again = await set.client.startRun(set.spec);
  expect(await again.result()).toMatchObject({ done: 6, outcomes: { answered: 6, failed: 0 } });
  // What the batch of the cancelled run was paid for serves the run that goes on.
  expect(set.server.batches).toHaveLength(1);
});

it('takes up the questions of a start that was terminated, while they wait', async () => {
  const set = await setUpBatching(6, { durationMs: 3_600_000 }, waveOf(6));
  await startSharded(set);
  await soon(() => expect(set.server.batches[0]?.lines).toHaveLength(6));
  await handleOf(set.harness.connection, set.workflowId).terminate();
  const { handle: again } = await startSharded(set);
  await soon(async () => expect((await again.progress()).running).toBe(6));
  set.server.advance(3_600_000);
  expect(await again.result()).toMatchObject({ done: 6, outcomes: { answered: 6 } });
  expect(set.server.batches).toHaveLength(1);
  expect(set.paidMost()).toBe(1);
});

it('fails when a shard was ended from outside, and goes on when started again', async () => {
  const set = await setUpBatching(6, { durationMs: 3_600_000 }, waveOf(6));
  const { handle: told } = await startSharded(set, 5);
  await soon(() => expect(set.server.batches[0]?.lines).toHaveLength(6));
  const [shard = ''] = (await underWay(set)).filter((id) => id.includes('/shards/'));
  await handleOf(set.harness.connection, shard).terminate();
  await expect(told.result()).rejects.toThrow();
  const { failure } = (await set.client.describeRun(set.spec.run)) ?? {};
  expect(failure).toMatchObject({ type: 'ShardLost', message: expect.stringContaining(shard) });
  set.server.advance(3_600_000);
  const again = await set.client.startRun(set.spec);
  expect(await again.result()).toMatchObject({ done: 6, outcomes: { answered: 6 } });
  expect(set.paidMost()).toBe(1);
  const client = new Client({ connection: set.harness.connection });
  expect(await stuckWorkflows(client, set.harness.taskQueue)).toEqual([]);
});

it('holds a budget from the start, by what the first calls in the pool may cost', async () => {
  const set = await setUpBatching(6, { durationMs: 3_600_000 }, waveOf(50));
  const { server, client, spec } = set;
  const startWith = async (budgetUsd: number, name: string, size = SOON.size) => {
    const before = server.batches.length;
    // What makes a batch is the wait for more, unless all have come.
    const transport = { ...SOON, waitSeconds: size === SOON.size ? 6 : 20, size };
    const named = { ...spec, cache: false, transport, run: `${spec.run}-${name}` };
    const told = await client.startRun({ ...named, budgetUsd });
    const lines = await soon(() => {
      const made = server.batches[before]?.lines;
      if (!made) throw new Error('no batch yet');
      return made.length;
    });
    return { told, lines, progress: await told.progress() };
  };
  const wide = await startWith(1, 'wide', 6);
  // Nothing has been answered, and all of them are in the first batch.
  expect(wide).toMatchObject({ lines: 6, progress: { done: 0, running: 6 } });
  const each = Number(wide.progress.underWayUsd) / 6;
  const tight = await startWith(each * 2.5, 'tight');
  expect(tight).toMatchObject({ lines: 2, progress: { done: 0, running: 2 } });
  expect(tight.progress.underWayUsd).toBeCloseTo(each * 2, 12);
  server.advance(3_600_000);
  const { outcomes, usage } = await wide.told.result();
  expect(outcomes).toMatchObject({ answered: 6 });
  // They were cheaper than they could have been, and the budget takes what they cost in fact.
  expect(usage.costUsd).toBeLessThan(each * 6);
  await soon(async () => expect((await tight.told.progress()).done).toBeGreaterThanOrEqual(2));
  await tight.told.cancel();
});
