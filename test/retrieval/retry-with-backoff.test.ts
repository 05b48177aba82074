/** What is tried again until it succeeds, or is called off. */
import { expect, test } from 'vitest';
import { Failure } from '../../core/failure.js';
import { retryWithBackoff } from '../../retrieval/retry-with-backoff.js';

test('ends with the reason where it is called off while it waits', async () => {
  const controller = new AbortController();
  const reason = new Error('Interrupted');
  const away = async () => {
    setImmediate(() => controller.abort(reason));
    throw new Failure('Overloaded', 'Not now.');
  };
  await expect(retryWithBackoff(away, controller)).rejects.toBe(reason);
});

test('tells of a wait that a person would notice, and of none that heals at once', async () => {
  const told: [string, number][] = [];
  const onRetry = ({ message }: Failure, waitMs: number) => told.push([message, waitMs]);
  const { signal } = new AbortController();
  const failing = (...waits: number[]) => {
    const left = waits.entries();
    return async () => {
      for (const [n, retryAfterMs] of left) {
        throw new Failure('Overloaded', `Busy ${n}.`, { retryAfterMs });
      }
      return 'done';
    };
  };
  expect(await retryWithBackoff(failing(1), { signal, onRetry })).toBe('done');
  expect(told).toEqual([]);
  expect(await retryWithBackoff(failing(1, 2, 3), { signal, onRetry })).toBe('done');
  expect(told).toEqual([
    ['Busy 1.', 2],
    ['Busy 2.', 3],
  ]);
  const controller = new AbortController();
  const long = retryWithBackoff(failing(60_000), { signal: controller.signal, onRetry });
  await expect.poll(() => told.at(-1)).toEqual(['Busy 0.', 60_000]);
  controller.abort(new Error('Interrupted'));
  await expect(long).rejects.toThrow('Interrupted');
});
