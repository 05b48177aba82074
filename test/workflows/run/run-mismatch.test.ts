/** Files and settings that change in the middle of a run: it waits, and never goes on as another. */
import { expect, it } from 'vitest';
import { createPromptLibrary } from '../../../activities/runtime/prompts.js';
import { createClient } from '../../../client/create-client.js';
import { contentStore } from '../../../stores/content-store.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import { startHarness } from '../../support/harness.js';
import { bundledTwice, ownMethod } from '../../support/own-method.js';
import {
  gate,
  setUpRunShared as setUpRun,
  setUpRun as setUpRunAlone,
  soon,
} from '../../support/run.js';
import { memoryRuns } from '../../support/stores.js';

/** A run of four questions, one at a time, of which the first one waits for the test. */
async function begun() {
  const slow = gate();
  const library = createPromptLibrary(undefined, {}, contentStore(new MemoryStore()));
  const parts = { prompts: { ...library }, runs: memoryRuns() };
  const reply = async () => {
    await slow.opened;
    return 'Bell';
  };
  const set = await setUpRun(4, reply, { concurrency: 1 }, () => ({}), parts);
  const handle = await set.client.startRun(set.spec);
  await soon(() => expect(set.model.asked).toHaveLength(1));
  const paused = (reason = 'RunMismatch') =>
    soon(async () => expect((await handle.progress()).pause?.reason).toBe(reason));
  /** Another text of the prompt that base asks. */
  const edit = () => {
    parts.prompts.hashes = async (name) => ({
      ...(await library.hashes(name)),
      'read.txt': 'edited',
    });
  };
  return { ...set, ...parts, library, handle, paused, edit, go: slow.open };
}

it('waits where a prompt is edited in its middle, and goes on by itself once it is as it was', async () => {
  const { handle, model, spec, client, paused, edit, go, prompts, library, runs } = await begun();
  await handle.set({ probeSeconds: 0.2 });
  edit();
  go();
  await paused();
  const { pause, done } = await handle.progress();
  expect(done).toBe(1);
  expect(pause?.message).toMatch(/prompts\.read\.txt: "[0-9a-f]{12}" there, "edited" here/);
  expect(pause?.message).toContain('--accept-change');
  expect(model.asked).toHaveLength(1);

  // Put back as it was, the run is one run.
  Object.assign(prompts, library);
  expect(await handle.result()).toMatchObject({ done: 4, outcomes: { answered: 4 }, pause: null });
  expect(await runs.manifest(spec.run)).not.toHaveProperty('changes');
  await client.startRun(spec);
});

it('goes on with an edited prompt where that is accepted, and says from where on', async () => {
  const { handle, spec, client, paused, edit, go, library, runs } = await begun();
  edit();
  go();
  await paused();
  await expect(client.startRun(spec)).rejects.toThrow('prompts.read.txt');
  await client.startRun({ ...spec, acceptChange: true });
  expect(await handle.result()).toMatchObject({ done: 4, outcomes: { answered: 4 } });
  const manifest = await runs.manifest(spec.run);
  expect(manifest?.prompts['read.txt']).toBe('edited');
  const before = await library.hashes('default');
  const [change, ...more] = manifest?.changes ?? [];
  expect(more).toEqual([]);
  expect(change).toMatchObject({ answered: 1, prompts: { 'read.txt': before['read.txt'] } });
  // Those that the run reads, as they were.
  expect(before).toMatchObject(change?.prompts ?? {});
});

it('waits where another version of its method is rolled out, and has each answer by one version', async () => {
  const [first, second] = await Promise.all([ownMethod({}), ownMethod({ said: ' again' })]);
  const [code, next] = await bundledTwice(first.method, ' again');
  const { method: _, ...parts } = first;
  const slow = gate();
  const { harness, spec, model } = await setUpRunAlone(
    6,
    async (number) => {
      if (number > 1) await slow.opened;
      return 'Bell';
    },
    { method: 'readOnce', options: {}, concurrency: 1 },
    undefined,
    parts,
    { code },
  );
  const { connection, taskQueue, ports, workers } = harness;
  const client = await createClient({ connection, taskQueue, methods: [first.method] });
  const handle = await client.startRun(spec);
  await soon(() => expect(model.asked).toHaveLength(3));
  await handle.pause();
  slow.open();
  await soon(async () => expect((await handle.progress()).done).toBe(3));
  await workers.stop();

  const others = { ...ports, methods: second.methods, steps: second.steps };
  await startHarness(model, others, { taskQueue, code: next });
  await handle.resume();
  await soon(async () => {
    const { pause } = await handle.progress();
    expect(pause?.reason).toBe('RunMismatch');
    expect(pause?.message).toMatch(
      /code\.files\.read-once\.readOnce: "\w{12}" there, "\w{12}" here/,
    );
    expect(pause?.message).not.toContain('secondLook');
  });
  expect(model.asked).toHaveLength(3);

  await client.startRun({ ...spec, acceptChange: true });
  const progress = await handle.result();
  expect(progress).toMatchObject({ done: 6, outcomes: { answered: 6 } });
  expect(Object.values(progress.builds ?? {})).toEqual([3, 3]);
  const manifest = await ports.runs.manifest(spec.run);
  expect(manifest?.code?.version).toBe(second.method.code?.()?.version);
  expect(manifest?.changes).toMatchObject([{ answered: 3 }]);
  const answers = await Promise.all(
    Array.from({ length: 6 }, async (_, i) => (await ports.runs.get(spec.run, `n/${i}`))?.result),
  );
  const old = answers.filter((result) => result?.answer === 'Bell');
  const young = answers.filter((result) => result?.answer === 'Bell again');
  expect([old.length, young.length]).toEqual([3, 3]);
}, 120_000);

it('says that the answers of a run deleted in its middle are gone, and begins it anew', async () => {
  const { handle, spec, client, runs, paused, go, model } = await begun();
  await runs.remove(spec.run);
  go();
  await paused('UnknownRun');
  const { pause } = await handle.progress();
  expect(pause?.message).toContain('its recorded answers are lost');
  expect(pause?.message).toContain(`durable-rag cancel ${spec.run}`);
  const paid = model.asked.length;

  await handle.cancel();
  await handle.result().catch(() => undefined);
  const again = await client.startRun(spec);
  expect(await again.result()).toMatchObject({ done: 4, outcomes: { answered: 4 } });
  // What the first question was paid for is in the response store.
  expect(model.asked).toHaveLength(paid + 3);
});

it('waits where the run is gone before its next questions are read', async () => {
  const runs = memoryRuns();
  const { manifest } = runs;
  let looks = 0;
  runs.manifest = async (run) => {
    const found = await manifest(run);
    // Opening the run is the last to find it.
    return found && looks++ > 0 ? undefined : found;
  };
  const set = await setUpRun(2, () => 'Bell', {}, undefined, { runs });
  const handle = await set.client.startRun(set.spec);
  await soon(async () => expect((await handle.progress()).pause?.reason).toBe('UnknownRun'));
  runs.manifest = manifest;
  await handle.resume();
  expect(await handle.result()).toMatchObject({ done: 2, outcomes: { answered: 2 }, pause: null });
});
