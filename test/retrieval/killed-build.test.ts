/** A build whose process is killed half way. */
import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { buildIndex } from '../../retrieval/build-index.js';
import { openCorpora } from '../../retrieval/corpora.js';
import { packageRoot } from '../../stores/package-root.js';
import { temporaryFolder } from '../support/folder.js';
import { animals, corpusFile } from './helpers.js';

/** Builds in a process of its own, which kills itself in the middle. */
const KILLED = `
  import { buildIndex } from './dist/retrieval/build-index.js';
  const [file, folder, wanted] = process.argv.slice(1);
  await buildIndex({ file, folder, into: 'birds', onProgress: ({ stage, passages }) => {
    if (stage === wanted && passages >= 10000) process.kill(process.pid, 'SIGKILL');
  } });`;

test.each(['reading', 'indexing'])('killed while %s', async (stage) => {
  const folder = await temporaryFolder();
  const herons = await corpusFile(folder, animals(20, 'heron'), 'herons.jsonl');
  const otters = await corpusFile(folder, animals(12_000, 'otter'), 'otters.jsonl');
  const { build: first } = await buildIndex({ file: herons, into: 'birds', folder });

  const args = ['--input-type=module', '-e', KILLED, otters, folder, stage];
  const child = spawnSync(process.execPath, args, { cwd: packageRoot(), stdio: 'inherit' });
  expect(child.signal).toBe('SIGKILL');

  // The old index is served beside the leftovers.
  expect(await readdir(path.join(folder, 'birds', 'builds'))).toHaveLength(2);
  const retriever = await openCorpora(folder).open('birds');
  expect((await retriever.search('heron otter', 1)).map((hit) => hit.id)).toEqual(['heron-0']);

  // The next build takes the dead builder's lock and cleans up.
  const { build } = await buildIndex({ file: otters, into: 'birds', folder });
  const left = await readdir(path.join(folder, 'birds', 'builds'));
  expect(left.sort()).toEqual([first, build].sort());
  expect((await retriever.search('heron otter', 1)).map((hit) => hit.id)).toEqual(['otter-0']);
});
