/** A run as one file: what goes in comes out elsewhere, and what is no such file is refused whole. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { create, extract, list } from 'tar';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Failure } from '../../../core/failure.js';
import { importedTexts } from '../../../retrieval/imported-texts.js';
import { passageStore } from '../../../retrieval/supplied-passages.js';
import { leases, withLease } from '../../../stores/lease.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import { hashesOf } from '../../../stores/runs/archive-file.js';
import { packCalls } from '../../../stores/runs/call-records.js';
import { fileRuns } from '../../../stores/runs/file-runs.js';
import { readRunArchive, writeRunArchive } from '../../../stores/runs/run-archive.js';
import type { RunNameLock } from '../../../stores/runs/run-store.js';
import {
  answer,
  manifestFor,
  question,
  stream,
  uniqueRunName,
} from '../../../testing/run-records.js';
import { mountSmallDisk } from '../../chaos/disk.js';
import { allOf } from '../../support/contract.js';
import { temporaryFolder } from '../../support/folder.js';
import { keysOf } from '../../support/stores.js';

const folder = await temporaryFolder();

const known = new Map([
  ['p1', 'Bell got\nthe patent. 電話'],
  ['p2', 'Gray came second.'],
]);
const texts = async (_: unknown, ids: readonly string[]) =>
  new Map(ids.flatMap((id) => (known.has(id) ? [[id, known.get(id) ?? ''] as const] : [])));

/** A run of two answers, one of them with passages that it found, one of which is gone since. */
async function written() {
  const run = uniqueRunName();
  const runs = fileRuns(join(folder, 'here'));
  const stored = [{ id: 'p2', title: 'Gray', score: 1 }];
  const questions = [question('a/../b'), question('c', { stored }), question('open')];
  const ref = (id: string) => ({ id, title: id, score: 1 });
  const output = [ref('p1'), ref('gone')];
  const calls = packCalls([{ address: 'a', step: 'retrieve', label: '', output, events: [] }]);
  await runs.begin(run, stream(questions), () => manifestFor(run));
  await runs.put(run, { ...answer('a/../b'), calls });
  await runs.put(run, answer('c'));
  const file = join(folder, `${run}.tar.gz`);
  const summary = await writeRunArchive(run, file, { runs, texts });
  return { run, runs, questions, calls, file, summary };
}

function elsewhere() {
  const store = new MemoryStore();
  const imported = importedTexts(store);
  const runs = fileRuns(join(folder, uniqueRunName()));
  const naming: RunNameLock = {
    holding: (run, work) => withLease(leases(store), run, 'test', work),
  };
  return { store, imported, runs, target: { runs, imported, naming, given: passageStore(store) } };
}

test('comes out on another machine as it went in, texts included', async () => {
  const { run, questions, calls, file, summary } = await written();
  expect(summary).toEqual({ run, questions: 3, answers: 2, passages: 2, missing: 1 });
  const { runs, imported, target } = elsewhere();
  expect(await readRunArchive(file, target)).toEqual(summary);
  const there = JSON.parse(JSON.stringify(manifestFor(run)).replaceAll('/data/nq', 'nq'));
  expect(await runs.manifest(run)).toEqual(there);
  expect((await allOf(runs.questions(run))).map((one) => one.question)).toEqual(questions);
  expect(await runs.get(run, 'a/../b')).toEqual({ ...answer('a/../b'), calls });
  expect(await runs.get(run, 'open')).toBeUndefined();
  expect(await imported.get(run, ['p1', 'p2', 'gone'])).toEqual(known);
  expect(await imported.get(`${run}2`, ['p1'])).toEqual(new Map());
});

test('takes a run whose prompts are named by step, as those of a fork are', async () => {
  const run = uniqueRunName();
  const runs = fileRuns(join(folder, uniqueRunName()));
  const { input, ...rest } = manifestFor(run);
  const prompts = { default: 'default', validate: 'mine' };
  await runs.begin(run, stream([question('a')]), () => ({
    ...rest,
    questions: 1,
    input: { ...input, prompts },
  }));
  const file = join(folder, `${run}.tar.gz`);
  await writeRunArchive(run, file, { runs, texts });
  const there = elsewhere();
  await readRunArchive(file, there.target);
  expect((await there.runs.manifest(run))?.input.prompts).toEqual(prompts);
});

test('is the same file for the same run, and holds nothing of this machine', async () => {
  const { run, runs, file } = await written();
  const again = `${file}.again`;
  await writeRunArchive(run, again, { runs, texts });
  expect(Buffer.compare(await readFile(again), await readFile(file))).toBe(0);
  const names: string[] = [];
  await list({
    file,
    onReadEntry: ({ path, uid, uname, mtime }) => {
      names.push(path);
      expect([uid, uname || undefined, mtime?.getTime()]).toEqual([undefined, undefined, 0]);
    },
  });
  const inside = await mkdtemp(join(folder, 'shared-'));
  await extract({ file, cwd: inside });
  for (const name of names)
    expect(await readFile(join(inside, name), 'utf8')).not.toContain('/data');
  const parts =
    'archive.json manifest.json questions.jsonl passages.jsonl answers.jsonl marks.jsonl';
  expect(names).toEqual(parts.split(' '));
});

test('is refused where there is a run of its name, and taken under another', async () => {
  const { run, file } = await written();
  const { runs, target, imported } = elsewhere();
  await readRunArchive(file, target);
  await expect(readRunArchive(file, target)).rejects.toMatchObject({
    type: 'Conflict',
    message: expect.stringContaining('--name'),
  });
  await readRunArchive(file, target, 'other');
  expect(await runs.manifest('other')).toMatchObject({ run: 'other', input: { run: 'other' } });
  expect((await imported.get('other', ['p1'])).size).toBe(1);
  await imported.remove('other');
  expect((await imported.get('other', ['p1'])).size).toBe(0);
  expect((await imported.get(run, ['p1'])).size).toBe(1);
});

test('does not take answers that a killed import left for its own', async () => {
  const { run, file } = await written();
  const { runs, target } = elsewhere();
  await runs.put(run, answer('open', { answer: 'stale' }));
  await readRunArchive(file, target);
  expect(await runs.get(run, 'open')).toBeUndefined();
});

/** The archive of a run with its files changed, and their hashes made anew. */
async function tampered(change: Change, areHashed = true) {
  const { file, run } = await written();
  const inside = await mkdtemp(join(folder, 'inside-'));
  await extract({ file, cwd: inside });
  const names = (await change(inside)) ?? (await readdir(inside));
  if (areHashed) {
    const path = join(inside, 'archive.json');
    const contents = JSON.parse(await readFile(path, 'utf8'));
    const there = Object.keys(contents.parts).filter((name) => names.includes(name));
    const parts = await hashesOf(inside, there).catch(() => contents.parts);
    await writeFile(path, JSON.stringify({ ...contents, parts }));
  }
  await create({ gzip: true, file, cwd: inside, preservePaths: true }, names);
  return { file, run };
}

type Change = (inside: string) => Promise<string[] | undefined>;

const replace =
  (name: string, from: RegExp | string, to: string): Change =>
  async (inside) => {
    const path = join(inside, name);
    await writeFile(path, (await readFile(path, 'utf8')).replace(from, to));
    return undefined;
  };

test('is refused where a part is another one than was written, which is named', async () => {
  const { file } = await tampered(answers('"Bell"', '"Gray"'), false);
  const { target } = elsewhere();
  await expect(readRunArchive(file, target)).rejects.toMatchObject({
    type: 'Damaged',
    part: 'answers.jsonl',
    message: expect.stringMatching(/answers\.jsonl is not as it was written\. Make .* anew/),
  });
});

const answers = (from: RegExp | string, to: string) => replace('answers.jsonl', from, to);
const archive = (from: string, to: string) => replace('archive.json', from, to);
const manifest = (from: RegExp | string, to: string) => replace('manifest.json', from, to);
const questions = (from: RegExp | string, to: string) => replace('questions.jsonl', from, to);

const without = (name: string) => (inside: string) => rm(join(inside, name)).then(() => undefined);

async function fileOutside(inside: string) {
  await writeFile(join(folder, 'escaped'), 'x');
  return [...(await readdir(inside)), '../escaped'];
}

async function link(inside: string) {
  await without('answers.jsonl')(inside);
  await symlink('/etc/hostname', join(inside, 'answers.jsonl'));
  return undefined;
}

async function bomb(inside: string) {
  // Far apart repeats pack less well than one letter does, which tar itself refuses.
  const words = Array.from({ length: 100 }, (_, i) => Math.sin(i + 1)).join();
  await writeFile(join(inside, 'passages.jsonl'), Buffer.alloc(65 * 2 ** 20, words));
  return undefined;
}

test.each<[string, Change, RegExp]>([
  ['a file outside', fileOutside, /contains "\.\.\/escaped", which no archive of a run has/],
  [
    'a link in the place of a file',
    link,
    /contains "answers\.jsonl", which no archive of a run has/,
  ],
  [
    'a folder',
    (inside) => mkdir(join(inside, 'more')).then(() => undefined),
    /contains "more\/?", which/,
  ],
  ['a missing part', without('questions.jsonl'), /it has no questions\.jsonl/],
  ['a later version', archive('"version": 2', '"version": 3'), /is of version 3; this .* reads 2/],
  ['another format', archive('durable-rag-run', 'zip'), /archive\.json, format/],
  ['half a line', questions(/.{10}\n$/, ''), /questions\.jsonl is damaged/],
  ['a bad answer', answers('"scores"', '"score"'), /answers\.jsonl, scores/],
  ['a strange answer', answers('"id":"c"', '"id":"x"'), /an answer to "x"/],
  ['usage that is none', answers(/"usage":\{[^}]*\}/, '"usage":null'), /jsonl, result\.usage/],
  ['a question without answers', questions('"answers"', '"a"'), /jsonl, answers/],
  ['a manifest without what a report tells', manifest('"normaliser"', '"n"'), /json, normaliser/],
  [
    'too many questions',
    archive('"questions": 3', '"questions": 4'),
    /says 4 questions, and 3 are/,
  ],
  ['too few passages', archive('"passages": 2', '"passages": 1'), /says 1 passages, and 2 are/],
  ['another count', manifest(/3(,\n {2}"createdAt")/, '9$1'), /json says 9 questions, and 3 are/],
  ['an answer twice', answers(/^.*$/s, '$&$&'), /has the answer "a\/\.\.\/b" twice/],
  ['a bomb', bomb, /unpacks to 66 MB, and 64 MB are what one of its size may hold/],
  ['a path for a name', manifest(/"run": "run/, '"run": "../run'), /no name of a run/],
])('refuses %s, and leaves nothing', async (_, change, message) => {
  const { file } = await tampered(change);
  const { runs, store, target } = elsewhere();
  await expect(readRunArchive(file, target)).rejects.toMatchObject({
    type: expect.stringMatching(/^(BadInput|Damaged)$/),
    message: expect.stringMatching(message),
  });
  expect(await runs.list()).toEqual([]);
  expect(await keysOf(store)).toEqual([]);
});

test('refuses what is no archive, and what is not there', async () => {
  const { target } = elsewhere();
  const file = join(folder, 'text.tar.gz');
  await writeFile(file, 'no archive');
  await expect(readRunArchive(file, target)).rejects.toThrow(/is no archive/);
  await expect(readRunArchive(join(folder, 'none'), target)).rejects.toThrow('There is no file');
  const source = { runs: fileRuns(join(folder, 'here')), texts };
  await expect(writeRunArchive('none', file, source)).rejects.toMatchObject({ type: 'UnknownRun' });
  expect(await readFile(file, 'utf8')).toBe('no archive');
});

test('is taken in once where two take it at the same time, with all of its answers', async () => {
  const { run, file, summary, questions } = await written();
  const { runs, target } = elsewhere();
  const both = await Promise.allSettled([1, 2].map(() => readRunArchive(file, target)));
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(both).toContainEqual({ status: 'fulfilled', value: summary });
  expect(both).toContainEqual({
    status: 'rejected',
    reason: expect.objectContaining({ type: 'Conflict' }),
  });
  const answers = await Promise.all(questions.map(({ id }) => runs.get(run, id)));
  expect(answers.filter((one) => one !== undefined)).toHaveLength(2);
});

test('leaves neither answers nor texts where it cannot be written', async () => {
  const { run, file } = await written();
  const { runs, imported, target } = elsewhere();
  const full = new Failure('Connection', 'The folder cannot be written: its disk is full.');
  const put = (_: string, { id }: { id: string }) =>
    id === 'c' ? Promise.reject(full) : Promise.resolve();
  await expect(readRunArchive(file, { ...target, runs: { ...runs, put } })).rejects.toBe(full);
  expect(await runs.manifest(run)).toBeUndefined();
  expect(await imported.get(run, ['p1', 'p2'])).toEqual(new Map());
  // The name is free again.
  expect(await readRunArchive(file, target)).toMatchObject({ run, answers: 2 });
});

await mkdir(join(folder, 'small'));
const disk = mountSmallDisk(join(folder, 'small'), 4);

test.skipIf(!disk)('says that there is no room where it is unpacked (needs a mount)', async () => {
  const { run, file } = await written();
  onTestFinished(() => disk?.unmount());
  await disk?.fill();
  vi.stubEnv('TMPDIR', join(folder, 'small'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const { runs, target } = elsewhere();
  await expect(readRunArchive(file, target)).rejects.toThrow(/disk is full.*TMPDIR/);
  expect(await runs.manifest(run)).toBeUndefined();
  const left = await readdir(join(folder, 'small'));
  expect(left.filter((name) => name.startsWith('durable-rag'))).toEqual([]);
});
