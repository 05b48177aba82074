/** Runs in a store of keys and values. */
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { readKeyring } from '../../../stores/encryption/keyring.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import { openStore } from '../../../stores/open-store.js';
import { keyValueRuns } from '../../../stores/runs/key-value-runs.js';
import type { RunStore } from '../../../stores/runs/run-store.js';
import {
  answer,
  manifestFor,
  question,
  stream,
  uniqueRunName,
} from '../../../testing/run-records.js';
import { runStoreContract } from '../../../testing/run-store-contract.js';
import { openRunStore } from '../../../workers/store-namespaces.js';
import { allOf, holdsTo } from '../../support/contract.js';
import { temporaryFolder } from '../../support/folder.js';

const folder = await temporaryFolder();
const store = await openStore(folder, 'runs');
afterAll(() => store.close());

holdsTo(runStoreContract({ open: async () => keyValueRuns(store) }));

async function idsOf(runs: RunStore, run: string, from?: number): Promise<string[]> {
  return (await allOf(runs.questions(run, from))).map((one) => one.question.id);
}

test('reads questions in order, and on from any page, and no more than there are', async () => {
  const [runs, run] = [keyValueRuns(new MemoryStore()), uniqueRunName()];
  const ids = Array.from({ length: 300 }, (_, i) => `q${i}`);
  const some = (count: number) => stream(ids.slice(0, count).map((id) => question(id)));
  await runs.begin(run, some(300), () => manifestFor(run));
  for (const count of [300, 250, 200, 1]) {
    await runs.change(run, () => manifestFor(run), some(count));
    expect(await idsOf(runs, run)).toEqual(ids.slice(0, count));
    for (const from of [99, 100, 101, 200]) {
      expect(await idsOf(runs, run, from)).toEqual(ids.slice(from, count));
    }
  }
});

test('begins anew where a start was killed before the manifest', async () => {
  const [runs, run] = [keyValueRuns(new MemoryStore()), uniqueRunName()];
  async function* killed() {
    for (let i = 0; i < 250; i++) yield question(`old${i}`);
    throw new Error('killed');
  }
  await expect(runs.begin(run, killed(), () => manifestFor(run))).rejects.toThrow('killed');
  expect(await idsOf(runs, run)).toEqual([]);
  await runs.begin(run, stream([question('new')]), () => manifestFor(run));
  expect(await idsOf(runs, run)).toEqual(['new']);
});

test('names the run that is damaged, lists the others, and deletes it', async () => {
  const memory = new MemoryStore();
  const [runs, whole, broken] = [keyValueRuns(memory), uniqueRunName(), uniqueRunName()];
  for (const run of [whole, broken]) {
    await runs.begin(run, stream([question('a')]), () => manifestFor(run));
  }
  const damaged = { type: 'Damaged', message: expect.stringContaining(broken) };
  await memory.delete(`questions/${broken}/0`);
  await expect(idsOf(runs, broken)).rejects.toMatchObject(damaged);
  for (const text of ['{"ha', 'null', '{}', '{"manifest":{"run":"x"}}']) {
    await memory.set(`manifest/${broken}`, text);
    await expect(runs.manifest(broken)).rejects.toMatchObject(damaged);
    expect((await runs.list()).map(({ run }) => run)).toEqual([whole]);
  }
  await runs.remove(broken);
  expect(await runs.manifest(broken)).toBeUndefined();
});

test('refuses a name that would reach another run', async () => {
  const runs = keyValueRuns(new MemoryStore());
  const refused = {
    type: 'BadInput',
    message: expect.stringContaining('is not a valid name of a run'),
  };
  await expect(runs.manifest('a/b')).rejects.toMatchObject(refused);
  await expect(runs.put('', answer('a'))).rejects.toMatchObject(refused);
  await expect(runs.remove('')).rejects.toMatchObject(refused);
});

test('is encrypted where the store is', async () => {
  const keyring = readKeyring(`one:${Buffer.alloc(32, 7).toString('base64')}`);
  const place = { storeUrl: folder, deployment: 'sealed', results: { kind: 'store' } as const };
  const [runs, run] = [await openRunStore({ ...place, keyring }), uniqueRunName()];
  const raw = await openStore(folder, 'sealed--runs');
  onTestFinished(async () => void (await Promise.all([runs.close(), raw.close()])));
  await runs.put(run, answer('a'));
  expect(await runs.get(run, 'a')).toEqual(answer('a'));
  const [entry] = await allOf(raw.list('answer/'));
  expect(await raw.get(entry?.key ?? '')).not.toContain('Bell');
});
