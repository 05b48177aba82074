/** A disk that is full: told once, by its name, and again only after it was healed. */

import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApplicationFailureCategory } from '@temporalio/common';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { providerCall } from '../../activities/runtime/provider-call.js';
import { Failure } from '../../core/failure.js';
import { buildIndex } from '../../retrieval/build-index.js';
import { DiskFull, reportingFullDisk } from '../../stores/full-disk.js';
import { openLmdbStore } from '../../stores/lmdb-store.js';
import { packageRoot } from '../../stores/package-root.js';
import { writeJson } from '../../stores/runs/json-file.js';
import { folderId } from '../../stores/store-id.js';
import { mountSmallDisk, type SmallDisk } from '../chaos/disk.js';
import { attempt } from '../support/activity.js';
import { temporaryFolder } from '../support/folder.js';

/** Lines that the test's own process has written to standard error. */
function standardError(): string[] {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    if (String(text).includes('cannot be written')) lines.push(String(text));
    return true;
  });
  onTestFinished(() => spy.mockRestore());
  return lines;
}

/** Found once: only root may mount. */
const canMount = mountSmallDisk(await temporaryFolder(), 1);
canMount?.unmount();

describe.skipIf(!canMount)('a small disk (skipped where this user may not mount one)', () => {
  function smallDisk(folder: string, megabytes = 4): SmallDisk {
    const disk = mountSmallDisk(folder, megabytes);
    if (!disk) throw new Error('It could be mounted a moment ago.');
    onTestFinished(() => disk.unmount());
    return disk;
  }

  it('is why an index cannot be built, and nothing is left of it', async () => {
    const [folder, corpora] = [await temporaryFolder(), await temporaryFolder()];
    const file = join(folder, 'corpus.jsonl');
    const text = 'A passage of some words that are all alike. '.repeat(20);
    const lines = Array.from({ length: 6000 }, (_, i) =>
      JSON.stringify({ id: `${i}`, title: `T ${i}`, text: `${Math.random()} ${text}` }),
    );
    writeFileSync(file, lines.join('\n'));
    smallDisk(corpora, 1);
    const building = buildIndex({ file, into: 'wiki', folder: corpora });
    await expect(building).rejects.toThrow(/cannot be written: the file system .* is full/);
    expect(readdirSync(join(corpora, 'wiki', 'builds'))).toEqual([]);
  });

  it.each([
    ['in a sentence', [], (said: string) => said.replace(/^Error /, '')],
    ['in JSON', ['--json'], (said: string) => JSON.parse(said).error.message as string],
  ])('ends the command that builds an index, %s', async (_, flags, messageOf) => {
    const [home, corpora] = [await temporaryFolder(), await temporaryFolder()];
    const file = join(home, 'corpus.jsonl');
    const text = 'A passage of some words that are all alike. '.repeat(20);
    const lines = Array.from({ length: 6000 }, (_, i) =>
      JSON.stringify({ id: `${i}`, title: `T ${i}`, text: `${Math.random()} ${text}` }),
    );
    writeFileSync(file, lines.join('\n'));
    smallDisk(corpora, 1);
    const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: '1' };
    const ended = spawnSync(
      process.execPath,
      ['dist/cli/main.js', 'index', file, '--into', 'wiki', ...flags],
      {
        cwd: packageRoot(),
        encoding: 'utf8',
        env: { ...env, DURABLE_RAG_HOME: home, DURABLE_RAG_CORPORA: corpora },
      },
    );
    const said = ended.stderr.trim().split('\n').at(-1) ?? '';
    expect(ended.status, ended.stderr).toBeGreaterThan(0);
    expect(messageOf(said)).toMatch(/cannot be written: the file system .* is full/);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
  });

  it('gives a folder its id as soon as there is room for it, whatever was left before', async () => {
    const folder = await temporaryFolder();
    const disk = smallDisk(folder);
    await disk.fill();
    expect(await folderId(folder)).toBeUndefined();
    writeFileSync(join(folder, '.store-id'), '');
    expect(await folderId(folder)).toBeUndefined();
    await disk.free();
    const id = await folderId(folder);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await folderId(folder)).toBe(id);
    expect(readdirSync(folder)).toEqual(['.store-id']);
  });

  it('is named by the store that cannot be written, once until it is healed', async () => {
    const folder = await temporaryFolder();
    const disk = smallDisk(folder);
    const store = await openLmdbStore(join(folder, 'store'), 'test');
    onTestFinished(() => store.close());
    const lines = standardError();
    const large = 'x'.repeat(200_000);
    const fails = (key: string) =>
      expect(store.set(key, large)).rejects.toMatchObject({
        type: 'Connection',
        retryable: true,
        message: expect.stringMatching(
          new RegExp(`^The folder ${folder}/store .* mounted at ${folder} is full .*Make room`),
        ),
      });
    await store.set('before', 'kept');
    await disk.fill();
    for (const key of ['a', 'b', 'c']) await fails(key);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`mounted at ${folder} is full`);
    expect(await store.get('before')).toBe('kept');

    await disk.free();
    await store.set('a', large);
    expect(await store.get('a')).toBe(large);
    await disk.fill();
    await fails('d');
    expect(lines).toHaveLength(2);
  });

  it('is named where results are written, of which nothing is left half done', async () => {
    const folder = await temporaryFolder();
    const disk = smallDisk(folder);
    const lines = standardError();
    await disk.fill();
    const file = join(folder, 'runs', 'nq', 'answer.json');
    await expect(writeJson(file, 'x'.repeat(100_000))).rejects.toThrow(
      `The folder ${join(folder, 'runs', 'nq')} cannot be written`,
    );
    expect(lines).toHaveLength(1);
    await disk.free();
    await writeJson(file, 'x'.repeat(100_000));
    expect(readdirSync(join(folder, 'runs', 'nq'))).toEqual(['answer.json']);
  });
});

it('is told from other troubles, and a disk that is read-only from a full one', async () => {
  const folder = await temporaryFolder();
  const lines = standardError();
  const fails = (error: Error) =>
    reportingFullDisk(join(folder, 'not', 'there'), () => Promise.reject(error));
  const code = (name: string) => Object.assign(new Error(name), { code: name });
  await expect(fails(code('EACCES'))).rejects.toThrow('EACCES');
  await expect(fails(new Failure('Connection', 'Away.'))).rejects.toThrow('Away.');
  expect(lines).toEqual([]);
  await expect(fails(code('EROFS'))).rejects.toThrow('is read-only. Mount it for writing');
  await expect(fails(code('EDQUOT'))).rejects.toBeInstanceOf(DiskFull);
  expect(lines).toHaveLength(1);
  await reportingFullDisk(folder, async () => {});
  await expect(fails(code('ENOSPC'))).rejects.toThrow('is full');
  expect(lines).toHaveLength(2);
  await reportingFullDisk(folder, async () => {});
});

it('brings no warning for each attempt of each call into the log of a worker', async () => {
  const full = new DiskFull('Full.', undefined);
  const fails = (failure: Failure) =>
    attempt(() => providerCall({}, () => Promise.reject(failure)));
  const kept = new Failure('StoreUnwritable', 'Full.', { cause: full });
  for (const failure of [full, kept]) {
    expect((await fails(failure)).failure?.category).toBe(ApplicationFailureCategory.BENIGN);
  }
  const other = await fails(new Failure('Connection', 'Away.'));
  expect(other.failure?.category).not.toBe(ApplicationFailureCategory.BENIGN);
});
