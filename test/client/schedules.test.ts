/** Evaluations by the clock, on the real Temporal server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { expect, it, onTestFinished } from 'vitest';
import { schedules } from '../../client/schedules.js';
import { hashInRef } from '../../evaluation/dataset/snapshots.js';
import { questionText, setUpRun, soon, stored } from '../support/run.js';

/** Once in a year: only what is triggered starts. */
const SELDOM = { cron: '0 0 31 12 *' };

it('makes a run of its own at each start, over the newest data set of its name', async () => {
  let says = 'Bell';
  const { client, spec, model, harness } = await setUpRun(1, () => says, { cache: false });
  const { run: name, ...rest } = spec;
  const input = { ...rest, dataset: name };
  const put = async (count: number) => {
    const lines = Array.from({ length: count }, (_, i) => ({
      id: `n/${i}`,
      question: questionText(i),
      answers: ['Bell'],
    }));
    await harness.ports.datasets.name(name, hashInRef(await stored(lines, harness.ports)));
  };
  await put(1);
  await client.createSchedule(name, input, SELDOM);
  onTestFinished(() => client.deleteSchedule(name).catch(() => {}));
  await expect(client.createSchedule(name, input, SELDOM)).rejects.toMatchObject({
    type: 'Conflict',
  });
  await soon(async () => expect(await client.datasetsInUse()).toContain(name));

  /** The runs, the last one first, once they have done so many questions. */
  const ended = (...done: number[]) =>
    soon(async () => {
      const runs = (await client.listRuns()).filter(({ run }) => run.startsWith(name));
      const told = runs.map(({ status, progress }) => [status, progress?.done]);
      expect(told).toEqual(done.map((count) => ['COMPLETED', count]));
      return runs;
    });
  await client.triggerSchedule(name);
  await ended(1);
  // Ids of a schedule's starts tell them apart by the second.
  await sleep(1_100);
  says = 'Gray';
  await put(2);
  await client.triggerSchedule(name);
  const [second, first] = await ended(2, 1);
  if (!first || !second) throw new Error('There are no runs.');
  expect(second.run).not.toBe(first.run);
  expect(model.asked).toHaveLength(3);
  expect(first.progress).toMatchObject({ run: first.run, scores: { em: { sum: 1 } } });
  expect(second.progress).toMatchObject({ run: second.run, scores: { em: { sum: 0 } } });
  const kept = await harness.ports.runs.get(second.run, 'n/0');
  expect(kept?.result?.answer).toBe('Gray');

  // It is found, and started again, by its name.
  expect((await client.describeRun(second.run))?.workflowId).toBe(second.workflowId);
  const again = await client.startRun({ ...input, run: second.run }, { again: true });
  expect(again.workflowId).toBe(second.workflowId);
  expect(await again.result()).toMatchObject({ run: second.run, done: 2, usage: { calls: 0 } });

  const listed = await client.listSchedules();
  const ours = listed.find((one) => one.name === name);
  expect(ours).toMatchObject({ cron: SELDOM.cron, timezone: 'UTC', isPaused: false });
  expect(ours?.runs).toEqual([first.run, second.run]);
  expect(ours?.next[0]?.toISOString()).toMatch(/-12-31T00:00:00/);
  const elsewhere = schedules(
    new Client({ connection: harness.connection }),
    'elsewhere',
    new Map(),
  );
  expect(await elsewhere.listSchedules()).toEqual([]);
});

it('knows the data sets of cells of a study that have not begun', async () => {
  const { client, spec, harness } = await setUpRun(1, () => 'Bell');
  const study = `study-${spec.run}`;
  const cell = (dataset: string) => ({ run: `${study}-${dataset}`, dataset });
  const plain = new Client({ connection: harness.connection });
  // Nobody works on that queue.
  const plan = { study, runs: [cell('first'), cell(spec.run)] };
  const handle = await plain.workflow.start('evaluateStudy', {
    workflowId: study,
    taskQueue: study,
    args: [plan],
    memo: { plan },
  });
  onTestFinished(() => void handle.terminate());
  await soon(async () => expect(await client.datasetsInUse()).toContain(spec.run));
});

it('gives a start its own results where a schedule of somebody else names the run', async () => {
  const { client, spec, harness } = await setUpRun(1, () => 'Bell');
  const plain = new Client({ connection: harness.connection });
  const handle = await plain.schedule.create({
    scheduleId: spec.run,
    spec: { cronExpressions: [SELDOM.cron] },
    action: {
      type: 'startWorkflow',
      workflowType: 'evaluateRun',
      args: [spec],
      workflowId: `eval/${spec.run}`,
      taskQueue: harness.taskQueue,
    },
  });
  onTestFinished(() => handle.delete());
  await handle.trigger();
  await soon(async () => {
    const [found] = await client.listRuns();
    expect(found?.progress?.run).toMatch(new RegExp(`^${spec.run}-\\d{4}-\\d\\d-\\d\\dT`));
    expect(found?.progress?.run).toBe(found?.run);
  });
});

it('refuses a schedule that could not run, and one that is not there', async () => {
  const { client, spec } = await setUpRun(1, () => 'Bell');
  const { run: name, ...input } = spec;
  const bad: [() => Promise<void>, string, RegExp][] = [
    [
      () => client.createSchedule(name, input, { cron: 'at night' }),
      'BadInput',
      /cron: or timezone was refused: /,
    ],
    [() => client.createSchedule('a/b', input, SELDOM), 'BadInput', /name: must be/],
    [() => client.createSchedule(name, { ...input, seed: -0.5 }, SELDOM), 'BadInput', /seed/],
    [() => client.triggerSchedule(name), 'UnknownSchedule', /no schedule/],
    [() => client.deleteSchedule(name), 'UnknownSchedule', /no schedule/],
  ];
  for (const [act, type, message] of bad) {
    await expect(act()).rejects.toMatchObject({ type, message: expect.stringMatching(message) });
  }
});
