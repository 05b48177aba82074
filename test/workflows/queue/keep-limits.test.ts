/** Limits of a task queue: whose they are, and that they end with those who asked for them. */
import { Client } from '@temporalio/client';
import { expect } from 'vitest';
import { renderLimits } from '../../../cli/run/shared.js';
import { queueRates } from '../../../client/queue-rates.js';
import { modelQueue } from '../../../workflows/queue/task-queues.js';
import { heldReply, setUpRun, soon } from '../../support/run.js';
import { sideBySide as it } from '../../support/side-by-side.js';

/** Two runs that ask for different limits, whose calls wait for the test. */
async function started() {
  const { reply, open } = heldReply();
  const { client, harness, spec } = await setUpRun(1, reply);
  const rates = queueRates(new Client({ connection: harness.connection }));
  const server = () => rates.get(modelQueue(harness.taskQueue));
  const setOnServer = (perMinute: number) => rates.set(modelQueue(harness.taskQueue), perMinute);
  const start = (name: string, limits: object) =>
    client.startRun({ ...spec, run: `${name}-${spec.run}`, ...limits });
  const isUnderWay = (handle: { progress(): Promise<{ running: number }> }) =>
    soon(async () => expect((await handle.progress()).running).toBe(1));
  const tokens = () => harness.ports.tokens.limit();
  /** "requestsPerMinute 6000 one": the rate, and the run without what makes its name its own. */
  const limits = async () =>
    (await client.limits()).map(
      ({ rate, perMinute, run }) => `${rate} ${perMinute} ${run?.split('-')[0] ?? 'queue'}`,
    );
  return { client, harness, start, isUnderWay, server, setOnServer, tokens, limits, open };
}

it('are of the run that asked last, and end with it, however it ends', async () => {
  const { client, harness, start, isUnderWay, server, tokens, limits, open } = await started();
  expect(await client.limits()).toEqual([]);
  const before = Date.now();
  const one = await start('one', { requestsPerMinute: 6000, tokensPerMinute: 60_000 });
  await isUnderWay(one);
  expect(await limits()).toEqual(['requestsPerMinute 6000 one', 'tokensPerMinute 60000 one']);
  const two = await start('two', { requestsPerMinute: 9000 });
  await isUnderWay(two);
  expect(await limits()).toEqual(['requestsPerMinute 9000 two', 'tokensPerMinute 60000 one']);
  expect([await server(), await tokens()]).toEqual([9000, 60_000]);
  const shown = await client.limits();
  for (const { since } of shown) expect(since?.getTime()).toBeGreaterThan(before - 1000);
  expect(renderLimits(shown).join()).toMatch(
    /at most 9,000 calls a minute \(asked by run two-run-\S+, since \d{4}-\d\d-\d\d [\d:]+\), at most 60,000 tokens/,
  );

  // Killed, it says goodbye to nobody.
  await new Client({ connection: harness.connection }).workflow
    .getHandle(two.workflowId)
    .terminate();
  await soon(async () => expect(await limits()).toContain('requestsPerMinute 6000 one'));
  expect(await server()).toBe(6000);

  open();
  await one.result();
  await soon(async () => expect(await limits()).toEqual([]));
  expect([await server(), await tokens()]).toEqual([null, null]);
});

it('of the queue outlive its runs, as what was set on the server does', async () => {
  const { client, start, isUnderWay, server, setOnServer, tokens, limits, open } = await started();
  await setOnServer(1200);
  expect(await client.limits()).toMatchObject([{ perMinute: 1200, run: null, since: null }]);
  await client.setLimits({ tokensPerMinute: 90_000 });
  const one = await start('one', { requestsPerMinute: 6000 });
  await isUnderWay(one);
  expect(await limits()).toEqual(['requestsPerMinute 6000 one', 'tokensPerMinute 90000 queue']);
  await one.set({ tokensPerMinute: 30_000 });
  expect(await tokens()).toBe(30_000);
  await one.set({ tokensPerMinute: null });
  expect(await tokens()).toBe(90_000);

  open();
  await one.result();
  await soon(async () => expect(await server()).toBe(1200));
  expect(await limits()).toEqual(['requestsPerMinute 1200 queue', 'tokensPerMinute 90000 queue']);
  await client.setLimits({ requestsPerMinute: null, tokensPerMinute: null });
  expect([await server(), await tokens(), await limits()]).toEqual([null, null, []]);
  await expect(client.setLimits({ tokensPerMinute: 0 })).rejects.toThrow('tokensPerMinute');
});
