/** What is left of a run when the namespace's retention has deleted its histories. */
import { expect, it, vi } from 'vitest';
import { Failure } from '../../core/failure.js';
import { setUpRunShared as setUpRun } from '../support/run.js';

/** A server that has much to do deletes late. */
function gone(look: () => Promise<unknown>): Promise<void> {
  return vi.waitFor(async () => expect(await look()).toBeUndefined(), {
    timeout: 120_000,
    interval: 500,
  });
}

it('goes on from its results, asks only what failed, and is still told from another run', async () => {
  let refuses = true;
  const { client, spec, model } = await setUpRun(4, (number) =>
    refuses && number === 2 ? new Failure('ContentRefused', 'No.') : 'Bell',
  );
  const first = await client.startRun(spec);
  expect(await first.result()).toMatchObject({ done: 4, outcomes: { failed: 1 } });
  // As retention does: the history of the run, and those of its questions.
  expect(await client.deleteRun(spec.run)).toBe(5);
  await gone(() => client.describeRun(spec.run));
  await expect(client.getRun(spec.run)).rejects.toMatchObject({ type: 'UnknownRun' });

  // Nobody compares before the start any more: the run compares when it opens.
  const other = await client.startRun({ ...spec, seed: 7 });
  await expect(other.result()).rejects.toThrow(/seed: 0 there, 7 here/);
  await client.deleteRun(spec.run);

  refuses = false;
  model.asked.length = 0;
  const again = await client.startRun(spec);
  expect(await again.result()).toMatchObject({
    done: 4,
    outcomes: { answered: 4, failed: 0 },
    usage: { calls: 1 },
    earlier: { calls: 3 },
  });
  expect(model.asked).toEqual([2]);
});

it('does not delete the histories of a run that is under way', async () => {
  const { client, spec } = await setUpRun(1, () => 'hang');
  const handle = await client.startRun(spec);
  await expect(client.deleteRun(spec.run)).rejects.toMatchObject({ type: 'Conflict' });
  await handle.cancel();
  await handle.result().catch(() => {});
  expect(await client.deleteRun(spec.run)).toBeGreaterThan(0);
});
