/** Which earlier run tells what a question takes. */
import { expect, test } from 'vitest';
import { earlierUsage } from '../../../cli/run/seen-before.js';
import type { RunInput } from '../../../core/run/input.js';
import { answerOf, questionOf, runOf, usageOf } from '../../support/runs/answers.js';
import { storeOf } from '../../support/runs/example-runs.js';

const usage = usageOf({ calls: 2, promptTokens: 300, completionTokens: 20, costUsd: 0.1 });

/** A run of two questions, each of which took two calls. */
function kept(input: Partial<RunInput> = {}) {
  const entries = ['a', 'b'].map((id): Parameters<typeof runOf>[1][number] => [
    questionOf(id),
    answerOf(id, 'answered', { em: 1 }, { result: { usage } }),
  ]);
  return runOf('old', entries, { input });
}

test('a run of the same data set, asked in the same way, of however many questions', async () => {
  const old = kept({ sample: 2, concurrency: 3, seed: 4 });
  const { input, dataset } = kept().manifest;
  expect(await earlierUsage(input, dataset.sha256, storeOf([old]))).toEqual({
    run: 'old',
    questions: 2,
    calls: 2,
    promptTokens: 300,
    completionTokens: 20,
  });
});

test.each<[string, Partial<RunInput>]>([
  ['another corpus', { corpus: 'wiki' }],
  ['another way to search', { mode: 'dense' }],
  ['the corpus in place of their own passages', { ownPassages: false }],
  ['noise', { noise: { ratio: 0.2 } }],
  ['other options', { options: { passages: 3 } }],
  ['another model', { models: { default: 'big' } }],
])('a run with %s says nothing of this one', async (_, input) => {
  const { manifest } = kept();
  expect(await earlierUsage(manifest.input, manifest.dataset.sha256, storeOf([kept(input)]))).toBe(
    undefined,
  );
});

test('a run of another data set says nothing of this one', async () => {
  const { input } = kept().manifest;
  expect(await earlierUsage(input, 'another', storeOf([kept()]))).toBe(undefined);
});
