/** A build whose process is killed half way. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildIndex } from '../../retrieval/build-index.js';
import { openCorpora } from '../../retrieval/corpora.js';
import { packageRoot } from '../../stores/package-root.js';
import { temporaryFolder } from '../support/folder.js';
import { animals, corpusFile } from './helpers.js';

let compiled: string;

beforeAll(async () => {
  // Node 20 runs no TypeScript, and a compiled file finds its packages only inside the package.
  const cache = path.join(packageRoot(), 'node_modules', '.cache');
  await mkdir(cache, { recursive: true });
  compiled = await mkdtemp(path.join(cache, 'killed-build-'));
  const config = {
    extends: path.join(packageRoot(), 'tsconfig.build.json'),
    compilerOptions: { outDir: compiled, rootDir: packageRoot(), declaration: false },
    files: [path.join(packageRoot(), 'retrieval', 'build-index.ts')],
  };
  await writeFile(path.join(compiled, 'tsconfig.json'), JSON.stringify(config));
  await writeFile(path.join(compiled, 'package.json'), '{"type": "module"}');
  await run(path.join(packageRoot(), 'node_modules/typescript/bin/tsc'), ['-p', compiled]);
});
afterAll(() => rm(compiled, { recursive: true, force: true }));

async function run(script: string, args: string[]): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [script, ...args], { stdio: 'inherit' });
  const [code, signal] = await once(child, 'exit');
  if (code !== 0 && signal === null) throw new Error(`${script} ended with ${code}`);
  return signal;
}

test.each(['reading', 'indexing'])('killed while %s', async (stage) => {
  const folder = await temporaryFolder();
  const herons = await corpusFile(folder, animals(20, 'heron'), 'herons.jsonl');
  const otters = await corpusFile(folder, animals(20_000, 'otter'), 'otters.jsonl');
  const { build: first } = await buildIndex({ file: herons, into: 'birds', folder });

  const script = path.join(compiled, `killed-${stage}.js`);
  await writeFile(
    script,
    `import { buildIndex } from './retrieval/build-index.js';
     const [file, folder] = process.argv.slice(2);
     await buildIndex({ file, folder, into: 'birds', onProgress: ({ stage, passages }) => {
       if (stage === '${stage}' && passages >= 15000) process.kill(process.pid, 'SIGKILL');
     } });`,
  );
  expect(await run(script, [otters, folder])).toBe('SIGKILL');

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
