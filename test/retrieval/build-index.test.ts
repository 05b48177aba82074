/** Building an index: what it records, and that a failed build changes nothing. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildIndex, type IndexBuildProgress } from '../../retrieval/build-index.js';
import { openCorpora } from '../../retrieval/lancedb/lance-corpora.js';
import { temporaryFolder } from '../support/folder.js';
import { animals, corpusFile } from './helpers.js';

/** An index of herons in place, to see that it survives. */
async function heronsInPlace() {
  const folder = await temporaryFolder();
  const file = await corpusFile(animals(20, 'heron'), 'herons.jsonl');
  const manifest = await buildIndex({ file, into: 'birds', folder });
  return { folder, manifest };
}

async function builds(folder: string): Promise<string[]> {
  return readdir(path.join(folder, 'birds', 'builds'));
}

async function found(folder: string, query: string): Promise<string[]> {
  const retriever = await openCorpora(folder).open('birds');
  return (await retriever.search(query, 1)).map((hit) => hit.id);
}

test('the manifest tells what was indexed', async () => {
  const { folder, manifest } = await heronsInPlace();
  expect(manifest).toMatchObject({
    name: 'birds',
    engine: 'lancedb',
    passages: 20,
    source: 'herons.jsonl',
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    tokenizer: { language: 'English', stem: true, removeStopWords: false, k1: 0.9, b: 0.4 },
  });
  expect(Math.abs(Date.now() - Date.parse(manifest.builtAt))).toBeLessThan(60_000);
  const stored = await readFile(path.join(folder, 'birds', 'manifest.json'), 'utf8');
  expect(JSON.parse(stored)).toEqual(manifest);
  expect(stored).not.toContain(folder);
});

test('progress goes up to the size of the file and through all stages', async () => {
  const folder = await temporaryFolder();
  const file = await corpusFile(animals(2500));
  const seen: IndexBuildProgress[] = [];
  await buildIndex({ file, into: 'birds', folder, onProgress: (progress) => seen.push(progress) });
  expect([...new Set(seen.map((progress) => progress.stage))]).toEqual([
    'reading',
    'indexing',
    'done',
  ]);
  const bytes = seen.map((progress) => progress.bytesRead);
  expect(bytes).toEqual([...bytes].sort((a, b) => a - b));
  expect(seen.at(-1)).toMatchObject({ stage: 'done', passages: 2500, bytesRead: bytes.at(-1) });
  expect(seen.at(-1)?.totalBytes).toBe(bytes.at(-1));
});

test('a rebuild takes the place of the old index, whose files the next one removes', async () => {
  const { folder } = await heronsInPlace();
  const [before] = await builds(folder);
  const file = await corpusFile(animals(5, 'otter'));
  const { build } = await buildIndex({ file, into: 'birds', folder });
  expect(await builds(folder)).toEqual([before, build].sort());
  expect(await found(folder, 'otter')).toEqual(['otter-0']);
  expect(await found(folder, 'heron')).toEqual([]);
  const again = await buildIndex({ file, into: 'birds', folder });
  expect(await builds(folder)).toEqual([again.build]);
});

describe('a build that fails leaves the old index and no files', () => {
  test('aborted while it reads, or while it indexes', async () => {
    const { folder, manifest } = await heronsInPlace();
    // More than is written at a time.
    const file = await corpusFile(animals(9_500, 'otter'));
    for (const stage of ['reading', 'indexing']) {
      const controller = new AbortController();
      const build = buildIndex({
        file,
        into: 'birds',
        folder,
        signal: controller.signal,
        onProgress: (progress) => {
          if (progress.stage === stage && progress.passages >= 9000) {
            controller.abort(new Error('stop it'));
          }
        },
      });
      await expect(build).rejects.toThrow('stop it');
      expect(await builds(folder)).toEqual([manifest.build]);
      expect(await found(folder, 'heron otter')).toEqual(['heron-0']);
    }
    await buildIndex({ file, into: 'birds', folder });
    expect(await found(folder, 'heron otter')).toEqual(['otter-0']);
  });

  test('the first build of a name: nothing is served', async () => {
    const folder = await temporaryFolder();
    const file = await corpusFile([{ id: 'a' }]);
    await expect(buildIndex({ file, into: 'birds', folder })).rejects.toThrow(
      'line 1 has the fields id. Known names are',
    );
    const corpora = openCorpora(folder);
    expect(await corpora.list()).toEqual([]);
    await expect(corpora.open('birds')).rejects.toMatchObject({ type: 'UnknownCorpus' });
  });
});

test.each(['', '../up', 'a/b', 'Wiki', 'a b', 'ü', '-x', 'x'.repeat(101)])(
  'the name %j is refused',
  async (into) => {
    const folder = await temporaryFolder();
    const file = await corpusFile(animals(1));
    await expect(buildIndex({ file, into, folder })).rejects.toMatchObject({
      type: 'BadInput',
      message: expect.stringContaining('cannot name a corpus: use lower-case letters'),
    });
    expect(await readdir(folder)).toEqual([]);
  },
);
