/** A build whose process is killed half way. */
import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { buildIndex } from '../../retrieval/build-index.js';
import { openCorpora } from '../../retrieval/lancedb/lance-corpora.js';
import { packageRoot } from '../../stores/package-root.js';
import { temporaryFolder } from '../support/folder.js';
import { animals, corpusFile } from './helpers.js';

/** Builds in a process of its own, which kills itself in the middle. */
const KILLED = `
  import { buildIndex } from './dist/retrieval/build-index.js';
  const [file, folder, wanted] = process.argv.slice(1);
  await buildIndex({ file, folder, into: 'birds', onProgress: ({ stage, passages }) => {
    if (stage === wanted && passages >= 9000) process.kill(process.pid, 'SIGKILL');
  } });`;

test('killed while it reads, or while it indexes', async () => {
  const folder = await temporaryFolder();
  const herons = await corpusFile(animals(20, 'heron'));
  const many = await corpusFile(animals(9_500, 'otter'));
  const { build: first } = await buildIndex({ file: herons, into: 'birds', folder });
  const retriever = await openCorpora(folder).open('birds');
  const found = async () => (await retriever.search('heron otter', 1)).map(({ id }) => id);
  const builds = () => readdir(path.join(folder, 'birds', 'builds'));

  for (const stage of ['reading', 'indexing']) {
    const args = ['--input-type=module', '-e', KILLED, many, folder, stage];
    const child = spawnSync(process.execPath, args, { cwd: packageRoot(), stdio: 'inherit' });
    expect(child.signal).toBe('SIGKILL');
    // The old index is served beside the leftovers.
    expect(await builds()).toHaveLength(2);
    expect(await found()).toEqual(['heron-0']);
  }

  // The next build takes the dead builder's lock and cleans up.
  const otters = await corpusFile(animals(20, 'otter'));
  const { build } = await buildIndex({ file: otters, into: 'birds', folder });
  expect((await builds()).sort()).toEqual([first, build].sort());
  expect(await found()).toEqual(['otter-0']);
});
