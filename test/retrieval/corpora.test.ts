/** The corpora of a folder: what is there, what is not, and an index that changes under a reader. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { buildIndex } from '../../retrieval/build-index.js';
import { openCorpora } from '../../retrieval/lancedb/lance-corpora.js';
import { type IndexManifest, pinnedCorpus } from '../../retrieval/manifest.js';
import { temporaryFolder } from '../support/folder.js';
import { animals, corpusFile } from './helpers.js';

async function index(folder: string, into: string, kind: string, count = 20) {
  const file = await corpusFile(animals(count, kind), `${kind}.jsonl`);
  return buildIndex({ file, into, folder });
}

test('list gives the manifests by name', async () => {
  const folder = await temporaryFolder();
  const second = await index(folder, 'water', 'otter', 3);
  const first = await index(folder, 'birds', 'heron', 4);
  const corpora = openCorpora(folder);
  expect(await corpora.list()).toEqual([first, second]);
  expect(await corpora.describe('water')).toEqual(second);
});

test('a folder that does not exist has no corpora', async () => {
  const corpora = openCorpora(path.join(await temporaryFolder(), 'missing'));
  expect(await corpora.list()).toEqual([]);
  await expect(corpora.open('wiki')).rejects.toMatchObject({
    type: 'UnknownCorpus',
    message:
      'There is no corpus wiki (none is indexed yet). ' +
      'Build it: durable-rag index corpus.jsonl --into wiki',
  });
});

test.each(['../birds', 'birds/..', '', 'BIRDS'])('the name %j opens nothing', async (name) => {
  const folder = await temporaryFolder();
  await expect(openCorpora(folder).open(name)).rejects.toMatchObject({ type: 'BadInput' });
});

test('a name with a version stands for its content, for as long as that is there', async () => {
  const folder = await temporaryFolder();
  const herons = pinnedCorpus('birds', await index(folder, 'birds', 'heron'));
  const corpora = openCorpora(folder);
  const pinned = await corpora.open(herons);
  const found = async (name: string) =>
    (await (await corpora.open(name)).search('heron otter wren', 1))[0]?.id;

  const otters = pinnedCorpus('birds', await index(folder, 'birds', 'otter'));
  expect(otters).not.toBe(herons);
  expect(await found('birds')).toBe('otter-0');
  expect(await pinned.search('heron otter', 1)).toMatchObject([{ id: 'heron-0' }]);
  expect(await pinned.get(['heron-3'])).toMatchObject([{ id: 'heron-3' }]);
  // A worker that starts now finds it as well.
  const later = await openCorpora(folder).open(herons);
  expect(await later.search('heron otter', 1)).toMatchObject([{ id: 'heron-0' }]);

  // A build of the same content is as good, and takes no further room.
  await index(folder, 'birds', 'otter');
  expect(await found(otters)).toBe('otter-0');

  const file = await corpusFile(animals(5, 'wren'));
  const inUse = async (build: IndexManifest) => pinnedCorpus('birds', build) === otters;
  await buildIndex({ file, into: 'birds', folder, isInUse: inUse });
  await buildIndex({ file, into: 'birds', folder, isInUse: inUse });
  expect([await found('birds'), await found(otters)]).toEqual(['wren-0', 'otter-0']);

  await buildIndex({ file, into: 'birds', folder });
  for (const gone of [herons, otters]) {
    await expect(openCorpora(folder).open(gone)).rejects.toMatchObject({
      type: 'UnknownCorpus',
      message: expect.stringContaining(
        'The build of corpus birds with which this began no longer exists',
      ),
    });
  }
  expect(await found('birds')).toBe('wren-0');
});

test('no search fails while the index is rebuilt again and again', async () => {
  const folder = await temporaryFolder();
  await index(folder, 'birds', 'heron');
  const retriever = await openCorpora(folder).open('birds');
  const searches = [0, 0, 0, 0];
  let building = true;
  const readers = searches.map(async (_, i) => {
    for (let count = 1; building; count++) {
      expect(await retriever.search('lives by the water', 20)).toHaveLength(20);
      searches[i] = count;
    }
  });
  // Twice, and on until each of them has searched meanwhile.
  for (let round = 1; round <= 2 || Math.min(...searches) < 5; round++) {
    await index(folder, 'birds', `kind${round}`, 2000);
  }
  building = false;
  await Promise.all(readers);
});

test('a manifest that cannot be read, and files that are gone: build again', async () => {
  const folder = await temporaryFolder();
  await index(folder, 'birds', 'heron');
  const file = path.join(folder, 'birds', 'manifest.json');
  const manifest = await readFile(file, 'utf8');
  const corpora = openCorpora(folder);
  for (const bad of ['{', '{"format": 2}', manifest.replace('"format": 2', '"format": 99')]) {
    await writeFile(file, bad);
    expect(await corpora.list()).toEqual([]);
    await expect(corpora.open('birds')).rejects.toMatchObject({
      type: 'UnknownCorpus',
      message: expect.stringContaining('durable-rag index corpus.jsonl --into birds'),
    });
  }
  const { build } = await index(folder, 'birds', 'otter');
  expect(await corpora.list()).toMatchObject([{ name: 'birds', source: 'otter.jsonl' }]);
  await rm(path.join(folder, 'birds', 'builds', build), { recursive: true });
  await expect(openCorpora(folder).open('birds')).rejects.toMatchObject({
    type: 'UnknownCorpus',
    message:
      'The index of corpus birds is damaged. Build it again: durable-rag index otter.jsonl --into birds',
  });
});
