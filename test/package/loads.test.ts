/** What an entry point loads: a package that not everybody needs is loaded where it is used. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import { temporaryFolder } from '../support/folder.js';

const HOOKS = `
import { writeSync } from 'node:fs';
export async function resolve(specifier, context, next) {
  const isOurs = context.parentURL?.includes('/dist/') && !context.parentURL.includes('/node_modules/');
  if (isOurs && /^[a-z@](?!ode:)/.test(specifier)) writeSync(3, specifier + '\\n');
  return next(specifier, context);
}`;

const url = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
const REGISTER = `import { register } from 'node:module'; register(${JSON.stringify(url(HOOKS))});`;

/** The packages that our modules import as a program runs. */
function loadedBy(program: string): string[] {
  const { status, stderr, output } = spawnSync(
    process.execPath,
    ['--import', url(REGISTER), '--input-type=module', '-e', program],
    { cwd: packageRoot(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
  );
  if (status !== 0) throw new Error(stderr);
  const specifiers = (output[3] ?? '').split('\n').filter((line) => line !== '');
  const packages = specifiers.map((name) =>
    name.split('/', name.startsWith('@') ? 2 : 1).join('/'),
  );
  return [...new Set(packages)].sort();
}

/** Of the data set readers and of checked input: small, and without dependencies. */
const SMALL = ['@streamparser/json', 'csv-parse', 'fastest-levenshtein', 'zod'];

const WORKER = [
  '@temporalio/activity',
  '@temporalio/client',
  '@temporalio/common',
  '@temporalio/plugin',
  '@temporalio/worker',
  'proper-lockfile',
  ...SMALL,
];

const ENTRIES: [entry: string, allowed: string[]][] = [
  ['durable-rag', ['@temporalio/client', '@temporalio/common', '@temporalio/envconfig', ...SMALL]],
  ['durable-rag/worker', WORKER],
  ['durable-rag/ai-sdk', ['fastest-levenshtein', 'zod']],
  ['durable-rag/openai', ['fastest-levenshtein', 'openai', 'undici', 'zod']],
  ['durable-rag/retrievers', ['fastest-levenshtein', 'zod']],
  // explainRun replays algorithms from the records of a run.
  ['durable-rag/report', [...SMALL, '@noble/hashes', '@temporalio/workflow', 'proper-lockfile']],
  ['durable-rag/ports', ['zod']],
  ['durable-rag/testing', WORKER],
];

it.each(ENTRIES)('%s loads no more than it needs', (entry, allowed) => {
  const loaded = loadedBy(`await import('${entry}')`);
  expect(loaded.length).toBeGreaterThan(0);
  expect(loaded.filter((name) => !allowed.includes(name))).toEqual([]);
});

it('loads no search engine, store or endpoint for a worker that brings its own', async () => {
  const home = await temporaryFolder();
  const loaded = loadedBy(`
    const { buildPorts } = await import('./dist/workers/build-ports.js');
    const { readConfig } = await import('./dist/workers/config.js');
    const kept = new Map();
    const store = async () => ({
      get: async (key) => kept.get(key),
      set: async (key, value) => void kept.set(key, value),
      setIfAbsent: async (key, value) => !kept.has(key) && !!kept.set(key, value),
      close: async () => {},
    });
    const atlas = { search: async () => [{ id: 'p1', title: 'A', score: 1 }], get: async () => [] };
    const built = await buildPorts(
      readConfig({ DURABLE_RAG_HOME: ${JSON.stringify(home)} }),
      { model: { provider: 'mine', complete: async () => {} }, corpora: { atlas }, store },
    );
    await (await built.ports.corpora.open('atlas')).search('a', 1);
    await built.close();
  `);
  expect(loaded.filter((name) => !WORKER.includes(name))).toEqual([]);
});
