/** What a worker reads and writes for others: nothing outside of its folders, whatever leads there. */
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allowedFiles, allowedFolders } from '../../stores/allowed-files.js';
import { packageRoot } from '../../stores/package-root.js';
import { failureOf } from '../retrieval/contract.js';

let folder = '';
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'durable-rag-allowed-')));
  await mkdir(join(folder, 'data', 'sub'), { recursive: true });
  await mkdir(join(folder, 'data-of-others'));
  await writeFile(join(folder, 'data', 'a.jsonl'), '');
  await writeFile(join(folder, 'data-of-others', 'secret'), '');
  await symlink(join(folder, 'data-of-others'), join(folder, 'data', 'out'));
  await symlink(join(folder, 'data', 'a.jsonl'), join(folder, 'data-of-others', 'in'));
  await symlink(join(folder, 'data'), join(folder, 'linked'));
});
afterAll(() => rm(folder, { recursive: true }));

const at = (...parts: string[]) => [folder, ...parts].join('/');

describe('within a folder', () => {
  test.each([
    ['a file', 'data/a.jsonl', 'data/a.jsonl'],
    ['the folder', 'data', 'data'],
    ['what is not there yet', 'data/sub/new/file', 'data/sub/new/file'],
    ['a way that goes out and comes back', 'data/../data/a.jsonl', 'data/a.jsonl'],
    ['a link from outside that leads in', 'data-of-others/in', 'data/a.jsonl'],
    ['a name that begins with dots', 'data/..a', 'data/..a'],
  ])('%s is given without links', async (_, path, real) => {
    expect(await allowedFiles([at('data')]).resolve(at(path), 'data set')).toBe(at(real));
  });

  test('a root that is a link counts as what it leads to', async () => {
    const files = allowedFiles([at('linked')]);
    expect(await files.resolve(at('linked/a.jsonl'), 'data set')).toBe(at('data/a.jsonl'));
  });

  test('a root that is a file is that file', async () => {
    const files = allowedFiles([at('data/a.jsonl')]);
    expect(await files.resolve(at('data/a.jsonl'), 'data set')).toBe(at('data/a.jsonl'));
    await failureOf(files.resolve(at('data/sub'), 'data set'));
  });
});

describe('refused, without a word whether it is there', () => {
  test.each([
    ['the folder above', 'data/..'],
    ['a way out by dots', 'data/../data-of-others/secret'],
    ['a neighbour whose name begins alike', 'data-of-others/secret'],
    ['a link that leads out', 'data/out/secret'],
    ['what is to be written behind a link', 'data/out/new/file'],
    ['what is not there', 'nowhere/secret'],
    ['what a file is taken for a folder of', 'data-of-others/secret/secret'],
  ])('%s', async (_, path) => {
    const failure = await failureOf(allowedFiles([at('data')]).resolve(at(path), 'data set'));
    expect(failure).toMatchObject({ type: 'Permission', retryable: false });
    expect(failure.message).toContain('is not in a folder that this worker may use');
    expect(failure.message).toContain('DURABLE_RAG_ALLOWED_FOLDERS');
    expect(failure.message).not.toContain(folder);
  });
});

test('a path with a null byte is no path', async () => {
  const failure = await failureOf(
    allowedFiles([at('data')]).resolve(at('data/a.jsonl\0.gz'), 'data set'),
  );
  expect(failure).toMatchObject({ type: 'BadInput', retryable: false });
  expect(failure.message).toMatch(/data set .*a\.jsonl\\u0000\.gz" holds a null byte/);
});

describe('the folders of a worker', () => {
  const own = [at('home'), join(packageRoot(), 'samples')];
  const env = { DURABLE_RAG_HOME: at('home') };

  test('are those it was started in, and its own', () => {
    expect(allowedFolders(env, undefined, at('data'))).toEqual([at('data'), ...own]);
  });

  test('are not the whole file system where it was started in its root', () => {
    expect(allowedFolders(env, undefined, '/')).toEqual(own);
  });

  test('are in place of that those that the environment names', () => {
    const set = { ...env, DURABLE_RAG_ALLOWED_FOLDERS: [at('x'), at('y')].join(delimiter) };
    expect(allowedFolders(set, undefined, at('data'))).toEqual([at('x'), at('y'), ...own]);
  });

  test('are those that the options name before all others', () => {
    const set = { ...env, DURABLE_RAG_ALLOWED_FOLDERS: at('x') };
    expect(allowedFolders(set, [at('z')], at('data'))).toEqual([at('z'), ...own]);
    expect(allowedFolders(set, [], at('data'))).toEqual(own);
  });
});
