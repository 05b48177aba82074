/** A client whose way to the Temporal server is cut for a while. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it, onTestFinished } from 'vitest';
import { createClient } from '../../client/create-client.js';
import { retryWhileAway } from '../../client/server-away.js';
import { cableTo } from '../support/cable.js';
import { heldReply, setUpRun, soon } from '../support/run.js';

it('starts, finds and steers a run once the server is there again', async () => {
  const { reply, open } = heldReply();
  const { harness, spec } = await setUpRun(3, reply, { concurrency: 1 });
  const { address, cut, mend, close } = await cableTo(inject('temporalAddress'));
  onTestFinished(close);
  const client = await createClient({ connect: { address }, taskQueue: harness.taskQueue });
  onTestFinished(() => client.close());

  /** What comes of it when the server is away as it is asked for, and comes back later. */
  async function away<T>(work: () => Promise<T>): Promise<T> {
    cut();
    const done = work();
    done.catch(() => {});
    await sleep(1_000);
    mend();
    return done;
  }

  const handle = await away(() => client.startRun(spec));
  await soon(async () => expect((await handle.progress()).running).toBe(1));
  const [found, paused] = await away(() => Promise.all([client.getRun(spec.run), handle.pause()]));
  expect(paused.pause?.reason).toBe('user');
  expect((await found.set({ concurrency: 3 })).settings.concurrency).toBe(3);
  expect((await found.resume()).pause).toBeNull();
  open();
  expect(await handle.result()).toMatchObject({ done: 3, outcomes: { answered: 3 } });
});

it('says that the server is away when it stays so', async () => {
  const { address, cut, close } = await cableTo(inject('temporalAddress'));
  onTestFinished(close);
  const client = await createClient({ connect: { address }, taskQueue: 'nobody' });
  onTestFinished(() => client.close());
  cut();
  const failed = retryWhileAway(() => client.describeRun('r'), 1_000);
  await expect(failed).rejects.toMatchObject({
    type: 'Connection',
    message: expect.stringMatching(/has not answered for 1 s\..*repeat the command/),
  });
  await expect(retryWhileAway(() => Promise.reject(new Error('mine')), 1_000)).rejects.toThrow(
    'mine',
  );
});
