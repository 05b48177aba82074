/** What would be published: whole, with nothing in it that nobody uses. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { beforeAll, expect, it } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import { pages } from '../docs/pages.js';
import { onDemand } from '../support/on-demand.js';
import type { Packed } from './packed.js';

const root = packageRoot();
let packed: Packed;
let manifest: { exports: Record<string, unknown>; bin: Record<string, string> };

beforeAll(async () => {
  packed = await onDemand('packed');
  manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
});

/** All paths that a part of package.json names. */
function targets(part: unknown): string[] {
  if (typeof part === 'string') return [part];
  return Object.values(part as object).flatMap(targets);
}

it('holds every file that package.json leads to', () => {
  const named = targets([manifest.exports, manifest.bin]).map((path) => normalize(path));
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((path) => !packed.files.includes(path))).toEqual([]);
});

it('holds what is read at run time, and the pages that its pages link to', () => {
  const shipped = (path: string) =>
    packed.files.some((file) => file === path || file.startsWith(`${path}/`));
  for (const path of ['bin/start.js', 'dist/workflow-bundle.js']) {
    expect(packed.files).toContain(path);
  }
  expect(['papers', 'prompts', 'samples', 'report/page'].filter((path) => !shipped(path))).toEqual(
    [],
  );
  const links = pages
    .filter(({ path }) => packed.files.includes(path))
    .flatMap(({ path, prose }) =>
      [...prose.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
        .map(([, target = '']) => target)
        // A guarantee links to its test, which stays in the repository.
        .filter((target) => !/^(?:[a-z]+:|test\/)/.test(target))
        .map((target) => ({ page: path, target: normalize(join(dirname(path), target)) })),
    );
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter(({ target }) => !shipped(target))).toEqual([]);
});

it('holds no sources, tests, benchmarks or maps of what is not there', async () => {
  const own = packed.files.filter((file) => !file.startsWith('examples/'));
  const others = own.filter(
    (file) =>
      /\.(map|tsx?|tsbuildinfo)$/.test(file.replace(/\.d\.ts$/, '')) ||
      /(^|\/)(test|tests|bench)\//.test(file) ||
      /\.test\.|\.log$/.test(file),
  );
  expect(others).toEqual([]);
  const code = packed.files.filter((file) => /^dist\/(?!workflow-bundle).*\.js$/.test(file));
  const texts = await Promise.all(code.map((file) => readFile(join(root, file), 'utf8')));
  expect(code.filter((_, i) => /^\/\/# sourceMappingURL/m.test(texts[i] ?? ''))).toEqual([]);
});

it('passes publint', async () => {
  const bytes = await readFile(packed.tarball);
  const tarball = new Uint8Array(bytes).buffer;
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

it('has types that every resolution of modules finds', async () => {
  const attw = join(root, 'node_modules', '@arethetypeswrong', 'cli', 'dist', 'index.js');
  const run = promisify(execFile)(process.execPath, [
    attw,
    packed.tarball,
    '--profile',
    'esm-only',
    '--no-definitely-typed',
    '--format',
    'ascii',
    '--no-color',
    '--no-emoji',
  ]);
  const said = await run.then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  );
  expect(said).toBe('');
});
