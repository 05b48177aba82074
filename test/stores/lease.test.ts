/** Leases over a store that keeps the contract. */
import { expect, test } from 'vitest';
import { leases } from '../../stores/lease.js';
import { MemoryStore } from '../../stores/memory-store.js';

function setUp() {
  const store = new MemoryStore();
  const clock = { now: 1_000_000 };
  const now = () => clock.now;
  return { store, clock, here: leases(store, now), there: leases(store, now) };
}
const mine = { holder: 'mine', ms: 1000 };
const theirs = { holder: 'theirs', ms: 1000 };

test('has one holder until its time is over, and a higher fence for the next', async () => {
  const { clock, here, there } = setUp();
  const lease = await here.acquire('job', mine);
  expect(lease).toEqual({ name: 'job', fence: 1, holder: 'mine', expiresAt: 1_001_000 });
  expect(await there.acquire('job', theirs)).toBeUndefined();
  expect(await here.acquire('job', mine)).toBeUndefined();
  expect(await there.acquire('other', theirs)).toMatchObject({ fence: 1 });
  clock.now += 999;
  expect(await there.acquire('job', theirs)).toBeUndefined();
  clock.now += 1;
  expect(await there.acquire('job', theirs)).toMatchObject({ fence: 2, holder: 'theirs' });
});

test('is held on to by renewing, and the fence stays', async () => {
  const { clock, here, there } = setUp();
  let lease = await here.acquire('job', mine);
  for (let i = 0; i < 5; i++) {
    clock.now += 900;
    lease = lease && (await here.renew(lease, 1000));
    expect(lease).toMatchObject({ fence: 1, expiresAt: clock.now + 1000 });
    expect(await there.acquire('job', theirs)).toBeUndefined();
  }
});

test('cannot be renewed by a holder that is late, whether another has it or not', async () => {
  const { clock, here, there } = setUp();
  const lease = await here.acquire('job', mine);
  if (!lease) throw new Error('nobody had it');
  clock.now += 1000;
  expect(await here.renew(lease, 1000)).toBeUndefined();
  const next = await there.acquire('job', theirs);
  // A holder whose clock stands still.
  clock.now -= 500;
  expect(await here.renew(lease, 1000)).toBeUndefined();
  await here.release(lease);
  expect(next && (await there.renew(next, 1000))).toMatchObject({ fence: 2 });
});

test('is free once it is released, and the fence goes on', async () => {
  const { here, there } = setUp();
  const lease = await here.acquire('job', mine);
  if (lease) await here.release(lease);
  expect(lease && (await here.renew(lease, 1000))).toBeUndefined();
  expect(await there.acquire('job', theirs)).toMatchObject({ fence: 2 });
});

test('goes to one of many that want it, at first and when its time is over', async () => {
  const { clock, here, there } = setUp();
  for (const fence of [1, 2, 3]) {
    const got = await Promise.all(
      Array.from({ length: 10 }, (_, i) => (i % 2 ? here : there).acquire('job', mine)),
    );
    expect(got.filter((lease) => lease !== undefined)).toMatchObject([{ fence }]);
    clock.now += 1000;
  }
});
