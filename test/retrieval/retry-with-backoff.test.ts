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
  await expect(retryWithBackoff(away, controller.signal)).rejects.toBe(reason);
});
