/** How long a provider asks us to wait. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { retryAfterMs } from '../../llm/retry-after.js';

const now = Date.parse('2026-03-01T12:00:00Z');
const maxMs = 60_000;

function wait(headers: Record<string, string>, status = 429): number | undefined {
  return retryAfterMs(
    { headers: new Map(Object.entries(headers)) },
    { isRate: status === 429, now, maxMs },
  );
}

describe('each form', () => {
  test.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after-ms': '0.5' }, 1],
    [{ 'retry-after-ms': '1200', 'retry-after': '7' }, 1200],
    [{ 'retry-after-ms': 'NaN', 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0.0', 'x-ratelimit-reset-requests': '9s' }, 9000],
    [{ 'retry-after-ms': '0', 'retry-after': '7' }, 7000],
    [{ 'x-ratelimit-reset-requests': '0s', 'x-ratelimit-reset-tokens': '2s' }, 2000],
    [{ 'retry-after': ' 1.5 ' }, 1500],
    [{ 'retry-after': 'NaN' }, undefined],
    [{ 'retry-after': '1e3' }, undefined],
    [{ 'retry-after': '1772366400' }, undefined],
    [{ 'retry-after': '7200' }, maxMs],
    [{ 'retry-after': 'Sun, 01 Mar 2026 12:00:20 GMT' }, 20_000],
    [{ 'retry-after': 'Sunday, 01-Mar-26 12:00:20 GMT' }, 20_000],
    [{ 'retry-after': 'Sun Mar  1 12:00:20 2026' }, 20_000],
    [{ 'retry-after': '2026-03-01T12:00:20.500Z' }, 20_500],
    [{ 'retry-after': 'Sun, 01 Mar 2026 11:59:00 GMT' }, undefined],
    [{ 'retry-after': 'Mon, 01 Mar 2038 12:00:00 GMT' }, undefined],
    [{ 'x-ratelimit-reset-requests': '1m30s' }, maxMs],
    [{ 'x-ratelimit-reset-requests': '12ms', 'x-ratelimit-reset-tokens': '7.66s' }, 12],
    [
      {
        'x-ratelimit-reset-requests': '12ms',
        'x-ratelimit-reset-tokens': '7.66s',
        'x-ratelimit-remaining-tokens': '0',
      },
      7660,
    ],
    [{ 'retry-after': '2', 'x-ratelimit-reset-requests': '9s' }, 2000],
    [{ 'retry-after': '-2', 'x-ratelimit-reset-requests': '9s' }, 9000],
    [{ 'x-ratelimit-reset': '7' }, 7000],
    [{ 'x-ratelimit-reset': '2.5' }, 2500],
    [{ 'x-ratelimit-reset': String(now / 1000 + 12) }, 12_000],
    [{ 'x-ratelimit-reset': String(now + 12_500) }, 12_500],
    [{ 'x-ratelimit-reset': String(now / 1000 - 12) }, undefined],
    [{ 'x-ratelimit-reset-tokens-minute': '4.25' }, 4250],
    [{ 'x-ratelimit-reset-input-tokens': '2026-03-01T12:00:08Z' }, 8000],
    [
      {
        'x-ratelimit-reset-requests-day': '31',
        'x-ratelimit-remaining-requests-day': '0',
        'x-ratelimit-reset-tokens-minute': '3',
        'x-ratelimit-remaining-tokens-minute': '900',
      },
      31_000,
    ],
    [{ 'x-ratelimit-resets': '7' }, undefined],
    [{ 'retry-after': String(now / 1000 + 9) }, 9000],
  ])('%j', (headers, expected) => {
    expect(wait(headers)).toBe(expected);
  });

  test('a reset of a limit counts for a 429 only', () => {
    expect(wait({ 'x-ratelimit-reset-requests': '9s' }, 503)).toBeUndefined();
  });
});

test('for all values the wait is undefined or a whole number from 1 to the cap', () => {
  const limits = ['reset-requests', 'reset-tokens', 'remaining-tokens'];
  const names = limits.map((limit) => `x-ratelimit-${limit}`);
  const name = fc.constantFrom('retry-after-ms', 'retry-after', ...names);
  const value = fc.oneof(
    fc.string(),
    fc.double().map(String),
    fc.integer().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  );
  fc.assert(
    fc.property(fc.dictionary(name, value), (headers) => {
      const result = wait(headers);
      expect(result === undefined || (Number.isInteger(result) && result >= 1)).toBe(true);
      expect(result ?? 0).toBeLessThanOrEqual(maxMs);
    }),
  );
});
