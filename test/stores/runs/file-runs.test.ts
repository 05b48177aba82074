/** Runs as files. */
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileRuns } from '../../../stores/runs/file-runs.js';
import {
  answer,
  manifestFor,
  question,
  stream,
  uniqueRunName,
} from '../../../testing/run-records.js';
import { runStoreContract } from '../../../testing/run-store-contract.js';
import { holdsTo } from '../../support/contract.js';
import { temporaryFolder } from '../../support/folder.js';

const folder = await temporaryFolder();

holdsTo(runStoreContract({ open: async () => fileRuns(folder) }));

async function begun() {
  const [store, run] = [fileRuns(folder), uniqueRunName()];
  await store.begin(run, stream([question('a'), question('b')]), () => manifestFor(run));
  await store.put(run, answer('a'));
  const [shard = ''] = await readdir(join(folder, run, 'answers'));
  const [file = ''] = await readdir(join(folder, run, 'answers', shard));
  const files = { answer: join(folder, run, 'answers', shard, file) };
  const inRun = (name: string) => join(folder, run, name);
  return {
    store,
    run,
    files: { ...files, manifest: inRun('manifest.json'), questions: inRun('questions.jsonl') },
  };
}

async function takeAll(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of items) count++;
  return count;
}

test('lists nothing where there is no folder yet', async () => {
  expect(await fileRuns(join(folder, 'nowhere')).list()).toEqual([]);
});

test('names the file that is damaged, and what to do', async () => {
  const { store, run, files } = await begun();
  await truncate(files.answer, 40);
  await expect(store.get(run, 'a')).rejects.toThrow(
    `The file ${files.answer} is damaged: it is not JSON. Delete it and start again`,
  );
  await writeFile(files.questions, '{"id":"a"}\n{"id":\n');
  const broken = `The file ${files.questions} is damaged`;
  await expect(takeAll(store.questions(run))).rejects.toThrow(broken);
  for (const content of ['', '{"run":"x"', '{"run":"x"}', 'null', '[]']) {
    await writeFile(files.manifest, content);
    const what = `The file ${files.manifest} is damaged`;
    await expect(store.manifest(run)).rejects.toMatchObject({
      type: 'Damaged',
      message: expect.stringContaining(what),
    });
    await expect(store.begin(run, stream([]), () => manifestFor(run))).rejects.toThrow(what);
  }
});

test('shows the other runs where one is damaged, and minds no strange files', async () => {
  const [whole, broken] = [await begun(), await begun()];
  await writeFile(broken.files.manifest, '{');
  await writeFile(join(folder, 'notes.txt'), 'not a run');
  await mkdir(join(folder, 'empty'), { recursive: true });
  const listed = (await whole.store.list()).map(({ run }) => run);
  expect(listed).toContain(whole.run);
  expect(listed).not.toContain(broken.run);
});

test('is not disturbed by what a killed process left', async () => {
  const { store, run, files } = await begun();
  await writeFile(`${files.answer}.x.tmp`, '{"ha');
  await writeFile(`${files.manifest}.x.tmp`, '{"ha');
  expect(await store.get(run, 'a')).toEqual(answer('a'));
  expect(await store.list()).toContainEqual(expect.objectContaining({ run }));

  // Killed after the questions, before the manifest: the next start writes both.
  await rm(files.manifest);
  expect(await store.manifest(run)).toBeUndefined();
  await store.begin(run, stream([question('c')]), () => manifestFor(run, { questions: 1 }));
  expect(await readFile(files.questions, 'utf8')).toBe(`${JSON.stringify(question('c'))}\n`);
});

test('refuses a name that would leave the folder', async () => {
  const store = fileRuns(join(folder, 'inner'));
  for (const run of ['../x', '', '.', '..', 'a/b', '/etc', 'a\\b', '-x']) {
    await expect(store.manifest(run)).rejects.toThrow('is not a valid name of a run');
    await expect(store.get(run, 'a')).rejects.toThrow('is not a valid name of a run');
    await expect(store.put(run, answer('a'))).rejects.toThrow('is not a valid name of a run');
    await expect(takeAll(store.questions(run))).rejects.toThrow('is not a valid name of a run');
  }
});
