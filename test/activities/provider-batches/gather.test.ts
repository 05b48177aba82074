/** Who waits in a pool, whom the collector beats for, and who no longer waits. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { gatherBatch, type PoolLevel } from '../../../activities/provider-batches/gather.js';
import {
  type PooledRequest,
  RequestPool,
  type Waiter,
} from '../../../activities/provider-batches/pool.js';
import type { Batching, WaitingActivities } from '../../../activities/runtime/ports.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import type { GatherInput } from '../../../workflows/activities/provider-batches.js';
import { attempt } from '../../support/activity.js';
import { ownClock } from '../../support/own-clock.js';

const POOL = 'm';
const request = { model: 'm', messages: [], temperature: 0, maxTokens: 1 };

/** A pool, what the Temporal server is told about it, and a look at it that goes on. */
function setUp(gone: readonly string[] = []) {
  const pool = new RequestPool(new MemoryStore());
  const beats = new Map<string, number>();
  const failed = new Map<string, Error>();
  const waiting: Partial<WaitingActivities> = {
    async beat({ activityId }) {
      beats.set(activityId, (beats.get(activityId) ?? 0) + 1);
      return !gone.includes(activityId);
    },
    async fail({ activityId }, failure) {
      failed.set(activityId, failure);
    },
  };
  const endpoint: Partial<Batching['endpoint']> = {
    limits: { requests: 10, bytes: 1e6 },
    line: (id) => id,
  };
  /** A waiter that is beaten for ten times a second, whose request has this id. */
  async function put(activityId: string, id: string, more: Partial<Waiter> = {}) {
    const pooled: PooledRequest = {
      id,
      key: id,
      origin: activityId,
      run: 'r',
      request,
      troubles: 0,
      countedIn: null,
    };
    await pool.put(POOL, pooled, {
      workflowId: 'w',
      runId: 'r',
      activityId,
      origin: activityId,
      step: 'read',
      attempt: 1,
      input: {},
      call: { model: 'm', corpus: null },
      prompt: 'p',
      since: Date.now(),
      waitSeconds: 60,
      size: 10,
      patienceSeconds: 600,
      heartbeatSeconds: 0.3,
      ...more,
    });
  }
  function look(changes: Partial<GatherInput> = {}) {
    const input: GatherInput = {
      pool: POOL,
      next: 0,
      known: [],
      mostTokens: null,
      without: [],
      idleSeconds: 60,
      ...changes,
    };
    const ended = new AbortController();
    onTestFinished(() => ended.abort(new Error('over')));
    const batching: Partial<Batching> = { pool, endpoint: endpoint as Batching['endpoint'] };
    const run = () => gatherBatch(input, batching as Batching, waiting as WaitingActivities);
    return attempt(run, { signal: ended.signal });
  }
  const left = async () => ({
    requests: (await pool.requests.list(POOL)).map(({ id }) => id).sort(),
    waiters: (await pool.waiters.list(POOL)).length,
  });
  return { pool, beats, failed, put, look, left };
}

beforeEach(ownClock);

/** Waits until it has looked so often after the first time. */
const looks = (times: number) => sleep(times * 2000 + 1);

it('drops the request of a call that was cancelled or is gone, before it is paid', async () => {
  const { beats, put, look, left } = setUp(['cancelled', 'other']);
  await put('cancelled', 'a');
  await put('stays', 'b');
  // Two wait for the same request, of which one is gone.
  await put('other', 'c');
  await put('same', 'c');
  void look();
  await looks(1);
  expect(await left()).toEqual({ requests: ['b', 'c'], waiters: 2 });
  await looks(2);
  // The others are beaten for, again and again.
  expect([beats.get('stays'), beats.get('same')]).toEqual([3, 3]);
  expect([beats.get('cancelled'), beats.get('other')]).toEqual([1, 1]);
});

it('lets one go by itself that has waited as long as it may, unless it is in a batch', async () => {
  const { pool, failed, put, look, left } = setUp();
  await put('impatient', 'a', { patienceSeconds: 0.1 });
  await put('in a batch', 'b', { patienceSeconds: 0.1 });
  await put('patient', 'c');
  await pool.plans.add(POOL, 0, { mark: 'm', ids: ['b'], without: [], bytes: 1, at: 0 });
  void look({ known: [0], next: 1 });
  await looks(1);
  expect(await left()).toEqual({ requests: ['b', 'c'], waiters: 2 });
  expect([...failed.keys()]).toEqual(['impatient']);
  expect(failed.get('impatient')).toMatchObject({
    type: 'AwaitsBatch',
    nonRetryable: false,
    message: 'No batch has answered within 0.1 s: the call is made on its own.',
  });
});

it('keeps beating for those in a batch, and makes no second one of them', async () => {
  const { pool, beats, put, look } = setUp();
  await put('in a batch', 'a', { size: 1 });
  await pool.plans.add(POOL, 0, { mark: 'm', ids: ['a'], without: [], bytes: 1, at: 0 });
  void look({ known: [0], next: 1 });
  await looks(3);
  expect(beats.get('in a batch')).toBe(3);
  expect(await pool.planNumbers(POOL)).toEqual([0]);
});

it('plans nothing from before a batch that is over was told of', async () => {
  const { pool, beats, put, look } = setUp();
  await put('freed', 'a', { size: 1 });
  void look({ known: [0], next: 1 });
  await looks(2);
  expect(beats.get('freed')).toBe(2);
  expect(await pool.planNumbers(POOL)).toEqual([]);
});

it('plans as many of those that wait as they wish', async () => {
  const { pool, put, look } = setUp();
  await put('one', 'a', { size: 2 });
  await put('two', 'b', { size: 2 });
  await put('three', 'c', { size: 2 });
  const { value } = await look();
  expect(value).toMatchObject({ number: 0, requests: 2, waitSeconds: 60 });
  const planned = await pool.plans.get(POOL, 0);
  expect(planned).toMatchObject({ ids: ['a', 'b'], mark: expect.stringMatching(/^[0-9a-f]{40}$/) });
});

it('says what waits, and ends when nothing has been in the pool for long', async () => {
  const { look } = setUp();
  const { value, details } = await look({ idleSeconds: 1.5 });
  expect(value).toBeNull();
  expect(details).toEqual({ waiting: 0, since: null } satisfies PoolLevel);
});
