/** The real all-MiniLM-L6-v2, fetched once into the home by the local stack's own code. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import { createLocalEmbeddingModel, normalizedMean } from '../../llm/local/minilm.js';
import { cosine } from '../../llm/vectors.js';
import { homeFolder } from '../../stores/home.js';
import { obtainEmbeddingModel } from '../../temporal-dev/fetch-embedding-model.js';
import { never } from '../support/completion.js';
import { recordingReporter } from '../temporal-dev/support.js';

describe('all-MiniLM-L6-v2', () => {
  let model: EmbeddingModel;
  let obtained = 0;

  beforeAll(async () => {
    const { env } = process;
    const context = { env, home: homeFolder(env), reporter: recordingReporter() };
    model = createLocalEmbeddingModel(() => {
      obtained++;
      return obtainEmbeddingModel(context);
    });
    expect(obtained).toBe(0);
    await model.embed(['loads'], never());
  }, 600_000);

  const embed = async (...texts: string[]) => (await model.embed(texts, never())).vectors;
  const similarity = async (a: string, b: string) => {
    const [first = [], second = []] = await embed(a, b);
    return cosine(first, second);
  };

  test('gives unit vectors of 384 numbers, for nothing, and is loaded once', async () => {
    const { vectors, usage, costUsd } = await model.embed(['A river.', ''], never());
    expect(vectors.map((vector) => vector.length)).toEqual([384, 384]);
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
    // [CLS] a river . [SEP] and [CLS] [SEP]
    expect(usage).toEqual({ promptTokens: 7, cachedPromptTokens: 0, completionTokens: 0 });
    expect(costUsd).toBe(0);
    expect(await model.embed([], never())).toMatchObject({ vectors: [] });
    expect(obtained).toBe(1);
    expect(model).toMatchObject({ provider: 'local', model: 'all-MiniLM-L6-v2', dimensions: 384 });
  });

  test.each([
    [
      'Who invented the telephone?',
      'Alexander Graham Bell was granted the patent for the telephone in 1876.',
      'Herons eat fish near rivers.',
    ],
    ['A man is eating food.', 'A man is eating a piece of bread.', 'A cheetah chases its prey.'],
  ])('%s', async (text, near, far) => {
    const nearness = await similarity(text, near);
    expect(nearness).toBeGreaterThan(0.5);
    expect(await similarity(text, far)).toBeLessThan(nearness - 0.3);
  });

  test('gives the same whatever is embedded beside it', async () => {
    const text = 'The quick brown fox jumps over the lazy dog.';
    const [alone] = await embed(text);
    const [, beside] = await embed('Something much longer comes first. '.repeat(20), text);
    expect(beside).toEqual(alone);
    const all = await Promise.all([embed(text), embed('another'), embed(text)]);
    expect([all[0]?.[0], all[2]?.[0]]).toEqual([alone, alone]);
  });

  test('case and accents do not matter, other scripts are read', async () => {
    expect(await similarity('Café Zürich', 'cafe zurich')).toBeCloseTo(1, 5);
    const [vector = []] = await embed('東京は日本の首都です。 Ναός 🦩 \ud800');
    expect(vector.every(Number.isFinite)).toBe(true);
  });

  test('looks at the first 256 tokens', async () => {
    const long = 'river '.repeat(300);
    const { usage } = await model.embed([long], never());
    expect(usage?.promptTokens).toBe(256);
    expect(await similarity(long, `${long} car car car`)).toBeCloseTo(1, 6);
  });

  test('stops between texts', async () => {
    const stop = new AbortController();
    const call = model.embed(new Array<string>(1000).fill('A river flows.'), stop.signal);
    setTimeout(() => stop.abort(new Error('cancelled')), 100);
    await expect(call).rejects.toThrow('cancelled');
  });
});

test('files that could not be had are asked for again', async () => {
  let asked = 0;
  const model = createLocalEmbeddingModel(() => Promise.reject(new Error(`no. ${++asked}`)));
  await expect(model.embed(['a'], never())).rejects.toThrow('no. 1');
  await expect(model.embed(['a'], never())).rejects.toThrow('no. 2');
});

test('the mean of vectors has length 1', () => {
  expect(normalizedMean(Float32Array.of(1, 0, 2, 4), 2)).toEqual([0.6, 0.8]);
  expect(normalizedMean(Float32Array.of(0, 0), 2)).toEqual([0, 0]);
});
