/** Prompts are files: read when they change, and kept for the questions that began with them. */
import { mkdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createPromptLibrary } from '../../activities/runtime/prompts.js';
import { contentStore } from '../../stores/content-store.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { temporaryFolder } from '../support/folder.js';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  await mkdir(join(folder, 'mine'));
  file = join(folder, 'mine', 'read.txt');
  await writeFile(file, 'Before: {{question}}');
});

test('a byte order mark is no part of a prompt', async () => {
  await writeFile(file, '\uFEFF{{passages}}\r\nWho?');
  const { text } = await createPromptLibrary(folder).load('mine', 'read');
  expect(text).toBe('{{passages}}\nWho?');
});

test.each([
  ['asks nothing', ' \n', 'read.txt is empty: write the prompt, or delete the file'],
  ['is of another encoding', Buffer.from('Où ?', 'latin1'), 'read.txt cannot be read (NOT_UTF8)'],
])('a file that %s is refused', async (_, content, message) => {
  await writeFile(file, content);
  await expect(createPromptLibrary(folder).load('mine', 'read')).rejects.toThrow(message);
});

test('what is no prompt may hold anything', async () => {
  await writeFile(join(folder, 'mine', 'notes.txt'), '');
  expect((await createPromptLibrary(folder).load('mine', 'read')).text).toBe(
    'Before: {{question}}',
  );
});

test('a set may be the folder that a tune writes its prompts into', async () => {
  await mkdir(join(folder, 'nq.2.prompts'));
  await writeFile(join(folder, 'nq.2.prompts', 'read.txt'), 'Written: {{question}}');
  const { text } = await createPromptLibrary(folder).load('nq.2.prompts', 'read');
  expect(text).toBe('Written: {{question}}');
});

test('a set can know no words for an unknown answer', async () => {
  await writeFile(join(folder, 'mine', 'unknown.txt'), '');
  expect((await createPromptLibrary(folder).load('mine', 'unknown')).text).toBe('');
});

/** Longer than questions share a look at the files. */
const soon = () => new Promise((resolve) => setTimeout(resolve, 250));

test('a file that is edited, added or removed is read anew', async () => {
  const library = createPromptLibrary(folder);
  const text = async (prompt: string) => (await library.load('mine', prompt)).text;
  const shipped = (await library.load('default', 'read')).text;
  expect(await text('read')).toBe('Before: {{question}}');
  const before = await library.hashes('mine');

  await writeFile(file, 'After: {{question}}');
  await writeFile(join(folder, 'mine', 'reply.txt'), 'Reply to {{question}}');
  await writeFile(join(folder, 'mine', 'nobodys.txt'), 'Never asked.');
  await soon();
  expect([await text('read'), await text('reply')]).toEqual([
    'After: {{question}}',
    'Reply to {{question}}',
  ]);
  const after = await library.hashes('mine');
  const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
  expect(changed).toEqual(['read.txt', 'reply.txt']);

  await unlink(file);
  await soon();
  expect(await text('read')).toBe(shipped);
});

test.each([
  ['sumarize.txt', 'summarize.txt'],
  ['rankpair.txt', 'rank-pair.txt'],
  ['reed.txt', 'read.txt'],
  ['own-steps.txt', 'own-step.txt'],
])('a file %s, which would have no effect, is refused for %s', async (wrong, meant) => {
  await writeFile(join(folder, 'mine', wrong), 'Never asked.');
  const library = createPromptLibrary(folder, { 'own-step': 'Mine.' });
  await expect(library.load('mine', 'read')).rejects.toThrow(
    `prompts: mine/${wrong} is not the name of a prompt; did you mean ${meant}?`,
  );
  await unlink(join(folder, 'mine', wrong));
  await writeFile(join(folder, 'mine', 'readme.txt'), 'About these prompts.');
  await soon();
  expect((await library.load('mine', 'read')).text).toBe('Before: {{question}}');
});

test('a set that is not there is refused with the one that was meant', async () => {
  const library = createPromptLibrary(folder);
  await expect(library.load('min', 'read')).rejects.toThrow('; did you mean mine?');
  await expect(library.load('defualt', 'read')).rejects.toThrow('; did you mean default?');
  await expect(library.load('other', 'read')).rejects.toThrow('; there are default, mine');
  const missing = join(folder, 'missing');
  const nowhere = createPromptLibrary(missing).load('mine', 'read');
  await expect(nowhere).rejects.toThrow(`there is no folder "mine" in ${missing}`);
});

test('what is pinned stays as it was, for other workers of the store as well', async () => {
  const store = contentStore(new MemoryStore());
  const library = createPromptLibrary(folder, { own: 'Mine.' }, store);
  const pinned = await library.pin('mine');
  expect(await library.pin('mine')).toBe(pinned);
  await writeFile(file, 'After: {{question}}');
  await soon();
  const now = await library.pin('mine');
  expect(now).not.toBe(pinned);

  const elsewhere = createPromptLibrary(undefined, {}, store);
  for (const each of [library, elsewhere]) {
    expect((await each.load(pinned, 'read')).text).toBe('Before: {{question}}');
    expect((await each.load(now, 'read')).text).toBe('After: {{question}}');
    expect((await each.load(pinned, 'own')).text).toBe('Mine.');
    expect((await each.load(pinned, 'passages')).text).toContain('{{passages}}');
  }
  const { hash } = await library.load('mine', 'read');
  expect((await elsewhere.load(now, 'read')).hash).toBe(hash);
});

test('a worker of another store puts it there where its files are the same, and else says so', async () => {
  const one = createPromptLibrary(folder, {}, contentStore(new MemoryStore()));
  const other = createPromptLibrary(folder, {}, contentStore(new MemoryStore()));
  const pinned = await one.pin('mine');
  expect((await other.load(pinned, 'read')).text).toBe((await one.load(pinned, 'read')).text);
  const kept = contentStore(new MemoryStore());
  await createPromptLibrary(folder, {}, kept).load(pinned, 'read');
  expect(await createPromptLibrary(undefined, {}, kept).load(pinned, 'read')).toBeDefined();

  const third = createPromptLibrary(folder, {}, contentStore(new MemoryStore()));
  await writeFile(file, 'Later: {{question}}');
  await soon();
  await expect(third.load(pinned, 'read')).rejects.toMatchObject({ type: 'UnknownText' });
  await expect(third.load(pinned, 'read')).rejects.toThrow('DURABLE_RAG_STORE');
});

test('a library without a store says so where a question would begin with a set', async () => {
  const library = createPromptLibrary(folder);
  const failure = { type: 'BadInput', message: expect.stringContaining('has no store') };
  await expect(library.pin('mine')).rejects.toMatchObject(failure);
  await expect(library.load('mine@somewhere', 'read')).rejects.toMatchObject(failure);
});
