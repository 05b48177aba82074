/** Workers of a new version in the middle: questions stay with theirs, runs and studies move. */
import { expect, inject, it } from 'vitest';
import { nextForDeployment } from '../../cli/deploy/render-deployment.js';
import { renderProgress } from '../../cli/run/render-progress.js';
import { createClient } from '../../client/create-client.js';
import { evaluateRuns } from '../../evaluation/runs/evaluate-runs.js';
import { openRuns } from '../../evaluation/runs/run-source.js';
import { buildIdOf } from '../../workers/workflow-bundle.js';
import { startHarness } from '../support/harness.js';
import { handleOf } from '../support/history.js';
import { bundleWithStep, saidForSure } from '../support/next-version.js';
import { bundledTwice, ownMethod } from '../support/own-method.js';
import { gate, setUpRun, soon } from '../support/run.js';
import { modelThatSays } from '../support/saying.js';
import { memoryRuns } from '../support/stores.js';

/** More than the first round of a study has. */
const QUESTIONS = 21;
/** Under way when the new version comes. */
const HELD = 3;

it('answers every question with the version that it began with, and none is stuck', async () => {
  const held = gate();
  const runs = memoryRuns();
  const { spec, harness, client, model } = await setUpRun(
    QUESTIONS,
    async (number, step) => {
      if (step === 'read' || (number < HELD && step === 'validate')) await held.opened;
      return saidForSure(step);
    },
    { method: 'sure', options: {}, concurrency: HELD + 1 },
    undefined,
    { runs },
    { versioned: true },
  );
  const { taskQueue, ports } = harness;
  const [first, second] = await Promise.all(
    [inject('workflowBundle'), bundleWithStep()].map((code) => buildIdOf({ code })),
  );
  await client.promoteVersion();
  expect((await client.describeDeployment()).current).toBe(first);

  const handle = await client.startRun(spec);
  // All questions of its first round are under way when the new version comes.
  const study = await client.study({
    name: spec.run,
    methods: [{ base: { passages: 0 } }],
    datasets: [{ stored: spec.dataset, as: 'numbers' }],
  });
  await soon(async () => expect((await handle.progress()).done).toBeGreaterThan(2));
  // Whatever time the next version takes, there are questions left for it.
  await handle.pause();
  await startHarness(model, ports, {
    taskQueue,
    versioned: true,
    code: bundleWithStep(),
  });
  expect(await client.promoteVersion(second)).toBe(second);
  await handle.resume();
  // The run has moved: what it begins from now on is of the new version.
  await soon(async () => {
    const { versions } = await client.describeDeployment();
    expect(versions).toMatchObject([
      { build: second, state: 'current' },
      { build: first, state: 'draining' },
    ]);
    expect(versions[0]?.open).toBeGreaterThan(0);
  });
  held.open();

  const progress = await handle.result();
  expect(progress).toMatchObject({
    done: QUESTIONS,
    outcomes: { answered: QUESTIONS, unknown: 0, unreadable: 0, failed: 0 },
  });
  expect(await handle.stuck()).toEqual([]);
  expect((await study.result()).runs).toMatchObject([{ state: 'finished', done: QUESTIONS }]);
  const { raw } = await handleOf(harness.connection, `study/${spec.run}`).describe();
  const movedTo = raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion;
  expect(movedTo?.buildId).toBe(second);
  const byBuild = new Map<string | undefined, number[]>();
  for (let number = 0; number < QUESTIONS; number++) {
    const result = (await runs.get(spec.run, `n/${number}`))?.result;
    expect(result?.answer).toBe('Bell');
    // One call more with the new version: no question was half of each.
    expect(result?.usage.calls).toBe(result?.build === first ? 7 : 8);
    byBuild.set(result?.build, [...(byBuild.get(result?.build) ?? []), number]);
  }
  expect(new Set(byBuild.keys())).toEqual(new Set([first, second]));
  expect(byBuild.get(first)).toEqual(expect.arrayContaining([0, 1, 2]));

  await soon(async () => {
    const { versions } = await client.describeDeployment();
    expect(versions[1]).toMatchObject({ build: first, state: 'drained', open: 0 });
  });
});

it('answers a run by one version of its method, until the other one is accepted', async () => {
  const [first, second] = await Promise.all([ownMethod({}), ownMethod({ said: ' again' })]);
  const [code, next] = await bundledTwice(first.method, ' again');
  const [old, young] = await Promise.all([code, next].map((one) => buildIdOf({ code: one })));
  const held = gate();
  const { method: _, ...parts } = first;
  const { spec, harness, model } = await setUpRun(
    6,
    async () => {
      await held.opened;
      return 'Bell';
    },
    { method: 'readOnce', options: {}, concurrency: 3, cache: false },
    undefined,
    parts,
    { versioned: true, code },
  );
  const { connection, taskQueue, ports } = harness;
  const client = await createClient({ connection, taskQueue, methods: [first.method] });
  await client.promoteVersion(old);
  const changed = { ...spec, run: `${spec.run}-changed` };
  const kept = await client.startRun(spec);
  const mixed = await client.startRun(changed);
  const runs = [kept, mixed];
  for (const run of runs) {
    await soon(async () => expect((await run.progress()).running).toBe(3));
    await run.pause();
  }
  await soon(() => expect(model.asked).toHaveLength(3));
  const others = { ...ports, methods: second.methods, steps: second.steps };
  await startHarness(model, others, { taskQueue, versioned: true, code: next });
  expect(await client.promoteVersion(young)).toBe(young);
  held.open();
  // What was under way ends with the version that it began with; what is new waits for it.
  for (const run of runs) {
    await soon(async () => expect((await run.progress()).done).toBe(3));
    await run.resume();
    await soon(async () => {
      const { pause, done } = await run.progress();
      expect(pause?.reason).toBe('RunMismatch');
      expect(pause?.message).toContain('code.files.read-once.readOnce');
      expect(done).toBe(3);
    });
  }
  expect(new Set(model.asked)).toEqual(new Set([0, 1, 2]));

  const newer = await createClient({ connection, taskQueue, methods: [second.method] });
  await newer.startRun({ ...changed, acceptChange: true });
  const progress = await mixed.result();
  expect(progress.builds).toEqual({ [`${old}`]: 3, [`${young}`]: 3 });
  const line = renderProgress(progress, undefined).find((one) => one.includes('by builds of'));
  for (const build of [old, young]) expect(line).toContain(`${build} (3)`);

  // With its version back, the other run goes on as one.
  expect(await client.promoteVersion(old)).toBe(old);
  await kept.resume();
  expect((await kept.result()).builds).toEqual({ [`${old}`]: 6 });
  expect(await ports.runs.manifest(spec.run)).not.toHaveProperty('changes');

  const evaluation = await evaluateRuns(await openRuns(ports.runs, [spec.run, changed.run]));
  expect(
    evaluation.runs.map(({ manifest, builds }) => [manifest.run, manifest.code?.version, builds]),
  ).toEqual([
    [spec.run, first.method.code?.()?.version, { [`${old}`]: 6 }],
    [`${changed.run}, part 1 of 2`, first.method.code?.()?.version, { [`${old}`]: 3 }],
    [`${changed.run}, part 2 of 2`, second.method.code?.()?.version, { [`${young}`]: 3 }],
  ]);
}, 240_000);

it('gives a version a share of new questions, tells of it, and takes the share back', async () => {
  const workers = async (taskQueue?: string, code?: string) =>
    startHarness(
      modelThatSays(() => 'Bell'),
      {},
      { versioned: true, ...(taskQueue && { taskQueue }), ...(code !== undefined && { code }) },
    );
  const { client, taskQueue } = await workers();
  const [first, second] = await Promise.all(
    [inject('workflowBundle'), bundleWithStep()].map((code) => buildIdOf({ code })),
  );
  await client.promoteVersion();
  await workers(taskQueue, bundleWithStep());
  expect(await client.promoteVersion(undefined, 50)).toBe(second);
  const shared = await client.describeDeployment();
  expect(shared).toMatchObject({ current: first, ramping: { build: second, percentage: 50 } });
  expect(shared.versions.map(({ build, state }) => [build, state])).toEqual([
    [second, 'ramping'],
    [first, 'current'],
  ]);
  // Nothing is under way with it, and its workers have to stay all the same.
  expect(nextForDeployment(shared)).toBeUndefined();

  // The server takes a moment to give out tasks so, by the workflow's id, which a question decides.
  const builds = new Set<string | undefined>();
  let number = 0;
  await soon(async () => {
    const asked = Array.from({ length: 8 }, () =>
      client.ask('base', { question: `Who is number ${number++}?`, options: { passages: 0 } }),
    );
    for (const { build } of await Promise.all(asked)) builds.add(build);
    expect(builds).toEqual(new Set([first, second]));
  });

  await expect(client.promoteVersion(first, 10)).rejects.toThrow('All new questions of');
  expect(await client.promoteVersion(undefined, 0)).toBe(second);
  expect(await client.describeDeployment()).toMatchObject({ current: first, ramping: null });
  await expect(client.promoteVersion(undefined, 0)).rejects.toThrow('No version has a share');
  // A version that becomes the current one ends the share that it had.
  await client.promoteVersion(second, 5);
  await client.promoteVersion(second);
  expect(await client.describeDeployment()).toMatchObject({ current: second, ramping: null });
  // So does another one that becomes it.
  await client.promoteVersion(first, 5);
  await client.promoteVersion(null);
  expect(await client.describeDeployment()).toMatchObject({ current: null, ramping: null });
});
