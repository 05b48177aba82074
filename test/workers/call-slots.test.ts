import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cancellationOf, runThroughGracePeriod } from '../../activities/runtime/provider-call.js';
import { CallSlots } from '../../workers/slots.js';
import { attempt } from '../support/activity.js';

/** Work that ends when it is told to. */
function held() {
  const ends: (() => void)[] = [];
  const flight = { now: 0, most: 0 };
  const work = async () => {
    flight.most = Math.max(flight.most, ++flight.now);
    await new Promise<void>((end) => ends.push(end));
    flight.now--;
    return 'done';
  };
  return { work, flight, endOne: () => ends.shift()?.() };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());
const settled = () => vi.advanceTimersByTimeAsync(1);

describe('calls of a worker', () => {
  it('are never more than it may make, and go in the order they came', async () => {
    const slots = new CallSlots(2);
    const { work, flight, endOne } = held();
    const ended: number[] = [];
    const all = [0, 1, 2, 3].map(async (number) => {
      const { value } = await attempt(() => slots.use(work));
      ended.push(number);
      return value;
    });
    await settled();
    expect(flight.now).toBe(2);
    for (const count of [1, 2, 3, 4]) {
      endOne();
      await settled();
      expect(ended).toHaveLength(count);
    }
    expect(await Promise.all(all)).toEqual(Array(4).fill('done'));
    expect(flight.most).toBe(2);
    expect(ended).toEqual([0, 1, 2, 3]);
  });

  it('come back later where as many wait already', async () => {
    const slots = new CallSlots(1);
    const { work, flight, endOne } = held();
    const first = attempt(() => slots.use(work));
    const second = attempt(() => slots.use(work));
    const { failure } = await attempt(() => slots.use(work), { details: { failures: 1 } });
    expect(failure).toMatchObject({ type: 'AwaitsSlot', nonRetryable: false });
    expect(failure?.nextRetryDelay).toBeGreaterThan(0);
    endOne();
    await settled();
    endOne();
    expect([(await first).value, (await second).value]).toEqual(['done', 'done']);
    expect(flight.most).toBe(1);
  });

  it('give up waiting, and leave their place and what they have left so far', async () => {
    const slots = new CallSlots(1);
    const { work, endOne } = held();
    const first = attempt(() => slots.use(work));
    const waiting = attempt(() => slots.use(work), { details: { failures: 1 } });
    await vi.advanceTimersByTimeAsync(25_000);
    const { failure, details } = await waiting;
    expect(failure).toMatchObject({ type: 'AwaitsSlot' });
    expect(details).toEqual({ failures: 1 });
    const next = attempt(() => slots.use(work));
    endOne();
    await settled();
    endOne();
    expect([(await first).value, (await next).value]).toEqual(['done', 'done']);
  });

  it('give their place back where they fail', async () => {
    const slots = new CallSlots(1);
    await expect(slots.use(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await slots.use(async () => 'done')).toBe('done');
  });
});

describe('a call that outlasts its worker', () => {
  const signalOf = () => cancellationOf(Context.current());
  const during = (cancellation: { workerShutdown?: boolean; cancelRequested?: boolean }) => {
    const stop = new AbortController();
    let signal: AbortSignal | undefined;
    const done = attempt(
      () =>
        runThroughGracePeriod(5000, async () => {
          signal = signalOf();
          stop.abort(new Error('stopped'));
          await sleep(0);
          return signal;
        }),
      { signal: stop.signal, cancellation },
    );
    return { done, signal: () => signal };
  };

  it('goes on until the grace is over, where the worker stops', async () => {
    const stop = new AbortController();
    const ended = attempt(
      () =>
        runThroughGracePeriod(5000, async () => {
          const signal = signalOf();
          await new Promise((end) => signal.addEventListener('abort', end));
          throw signal.reason;
        }).catch((error: Error) => error.message),
      { signal: stop.signal, cancellation: { workerShutdown: true } },
    );
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    stop.abort(new Error('stopped'));
    await vi.advanceTimersByTimeAsync(4900);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect((await ended).value).toBe('stopped');
  });

  it('ends at once where it is cancelled', async () => {
    const { done, signal } = during({ cancelRequested: true });
    await done;
    expect(signal()?.aborted).toBe(true);
  });

  it('has ended before, where its worker has more time', async () => {
    const { done, signal } = during({ workerShutdown: true });
    await done;
    expect(signal()?.aborted).toBe(false);
  });
});
