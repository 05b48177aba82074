/** Who makes the batches cannot go on: the workers have code that does not follow its history. */
import { expect, it } from 'vitest';
import { sharedResources } from '../../../cli/run/shared.js';
import { startHarness } from '../../support/harness.js';
import { handleOf } from '../../support/history.js';
import { bundleWithTimer } from '../../support/next-version.js';
import { SOON, setUpBatching } from '../../support/provider-batches.js';
import { soon } from '../../support/run.js';

/** At the provider. */
const HOUR = 3_600_000;

it('is told of the collector of batches, and another one takes its place', async () => {
  // A small batch: its calls miss few heartbeats before they look for a collector again.
  const transport = { ...SOON, size: 3 };
  const batching = { options: { passages: 0 }, transport };
  const set = await setUpBatching(3, { durationMs: HOUR }, batching);
  const { client, spec, harness, server } = set;
  const { taskQueue, ports } = harness;
  const waits = await client.startRun(spec);
  await soon(() => expect(server.batches[0]?.lines).toHaveLength(3));
  expect(await client.stuckPools()).toEqual([]);
  await harness.workers.stop();
  const code = bundleWithTimer('for (const batch of state.open)');
  const last = await startHarness(ports.llm, ports, { taskQueue, code });
  const [collector] = await soon(async () => {
    const found = await last.client.stuckPools();
    expect(found).toMatchObject([{ problem: 'NonDeterministicError' }]);
    return found;
  });
  const { lines } = await sharedResources(last.client);
  const end = `terminate --workflow-id '${collector?.workflowId}'. Another one starts`;
  expect(lines.join('\n')).toContain(end);
  await handleOf(harness.connection, collector?.workflowId ?? '').terminate();
  server.advance(HOUR);
  expect(await waits.result()).toMatchObject({ done: 3, outcomes: { answered: 3 } });
  expect(server.batches).toHaveLength(1);
});
