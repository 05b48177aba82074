/** How long the next attempt of a call waits. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSearchActivities } from '../../activities/runtime/non-model-steps.js';
import type { Ports } from '../../activities/runtime/ports.js';
import { prepareActivity } from '../../activities/runtime/prepare.js';
import { providerCall } from '../../activities/runtime/provider-call.js';
import { modelActivity } from '../../activities/runtime/run-model-step.js';
import { Failure, type FailureType } from '../../core/failure.js';
import { read } from '../../steps/readers.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import type { CallBounds } from '../../workflows/activities/calls.js';
import { type Attempt, attempt, attempts } from '../support/activity.js';
import { testPorts } from '../support/ports.js';

/** The waits of a call that fails so often in this way, in whole seconds: jitter is less than one. */
async function waits(type: FailureType, retryAfterMs: number | undefined, times: number) {
  const seconds: number[] = [];
  let last: Attempt<unknown> = { details: undefined };
  for (let n = 0; n < times; n++) {
    const fails = () =>
      providerCall({ attempts: 100 }, () => {
        throw new Failure(type, 'No.', { retryAfterMs });
      });
    last = await attempt(fails, { details: last.details });
    seconds.push(Math.floor(Number(last.failure?.nextRetryDelay) / 1000));
  }
  return seconds;
}

it.each<[FailureType, number | undefined]>([
  ['RateLimited', undefined],
  ['RateLimited', 1],
  ['RateLimited', 999],
  ['Overloaded', 12],
])('grows where the provider names none worth the name: %s, %s ms', async (type, named) => {
  expect(await waits(type, named, 4)).toEqual([1, 2, 4, 8]);
});

it('is as long as a search engine asks for where a question is prepared', async () => {
  const open = async () => {
    throw new Failure('Overloaded', 'Full.', { retryAfterMs: 7000 });
  };
  const prepare = prepareActivity(testPorts(scriptedModel([]), { corpora: { open } }) as Ports);
  const input = { question: 'Who?', retrieval: { corpus: 'full' } };
  const { failure } = await attempt(() => prepare('base', input));
  expect(failure).toMatchObject({ type: 'Overloaded', nextRetryDelay: 7000 });
});

/** Fails in one way, a second apart by the clock, until the call is given up. */
async function givenUp(type: FailureType, bounds: CallBounds): Promise<Attempt<unknown>> {
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  let last: Attempt<unknown> = { details: undefined };
  do {
    const fails = () =>
      providerCall(bounds, () => {
        throw new Failure(type, 'No.');
      });
    last = await attempt(fails, { details: last.details });
    vi.setSystemTime(Date.now() + 1000);
  } while (!last.failure?.nonRetryable);
  return last;
}

describe('a provider that is away', () => {
  it.each<[FailureType, CallBounds, number]>([
    ['Connection', {}, 301],
    ['Overloaded', { outageSeconds: 60 }, 61],
    ['Connection', { outageSeconds: 2 }, 6],
    ['Connection', { outageSeconds: 0, attempts: 2 }, 2],
    // What it says, or does not say, may have been paid for.
    ['Timeout', {}, 6],
    ['MalformedResponse', {}, 6],
    ['Unexpected', {}, 6],
  ])('is tried for minutes where that costs nothing: %s, %o, %i times', async (...row) => {
    const [type, bounds, times] = row;
    const { failure } = await givenUp(type, bounds);
    expect(failure).toMatchObject({
      type,
      message: `No. Given up after ${times} failed attempts.`,
    });
  });

  it('uses up none of the attempts of other failures', async () => {
    const kinds: FailureType[] = ['Connection', 'Overloaded', 'Connection', 'Timeout', 'Timeout'];
    const failures: Attempt<unknown>[] = [];
    for (const type of kinds) {
      const fails = () =>
        providerCall({ attempts: 2 }, () => {
          throw new Failure(type, 'No.');
        });
      failures.push(await attempt(fails, { details: failures.at(-1)?.details }));
    }
    expect(failures.map(({ failure }) => failure?.nonRetryable)).toEqual(
      kinds.map((_, i) => i === kinds.length - 1),
    );
  });
});

it.each<[FailureType, string]>([
  ['Connection', '30 failed searches'],
  ['Overloaded', '30 failed searches'],
  ['Timeout', '30 failed searches'],
  ['Unexpected', '2 failed attempts'],
])('a search engine that fails by %s is tried until there are %s', async (type, often) => {
  const away = () => Promise.reject(new Failure(type, 'The node is away.'));
  const model = scriptedModel([]);
  const corpora = { open: async () => ({ search: away, get: away }) };
  const ports = testPorts(model, { corpora }) as Ports;
  const query = { query: 'Who?', count: 3 };
  const search = () =>
    createSearchActivities(ports).retrieve(query, { corpus: 'sample' }, { attempts: 2 });
  const input = { question: 'Who?', passages: ['p1'], demonstrations: [] };
  const show = () =>
    modelActivity(read, ports)(input, { model: 'm', corpus: 'sample', attempts: 2 });
  for (const activity of [search, show]) {
    const { failure, times } = await attempts<unknown>(activity, 99);
    const message = `The node is away. Given up after ${often}.`;
    expect(failure).toMatchObject({ type, message, nonRetryable: true });
    expect(often).toContain(`${times} `);
  }
  expect(model.requests).toEqual([]);
});

it('is what the provider asked for', async () => {
  expect(await waits('RateLimited', 5000, 4)).toEqual([5, 5, 5, 5]);
});

it('is minutes where there is no room at the flex tier, which is no failed attempt', async () => {
  const grown = await waits('NoCapacity', undefined, 12);
  expect(grown.slice(0, 4)).toEqual([1, 2, 4, 8]);
  // With up to a tenth of jitter.
  for (const wait of grown.slice(9)) expect([wait >= 300, wait <= 330]).toEqual([true, true]);
  const crowded = () =>
    providerCall({ attempts: 1, refusals: 1 }, () => {
      throw new Failure('NoCapacity', 'No room.');
    });
  const { failure, details } = await attempt(crowded);
  expect(failure?.nonRetryable).toBe(false);
  const since = Date.now() - 25 * 3_600_000;
  const sinceYesterday = { ...Object(details), counts: { crowded: { times: 1, since } } };
  const last = await attempt(crowded, { details: sinceYesterday });
  expect(last.failure?.nonRetryable).toBe(true);
  expect(last.failure?.message).toMatch(/Given up after 2 refusals for lack of capacity/);
});

it('is none where the next attempt leaves out what was refused', async () => {
  expect(await waits('ParameterRefused', 0, 2)).toEqual([0, 0]);
});
