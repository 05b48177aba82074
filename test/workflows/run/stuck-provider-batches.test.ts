/** What cannot go on where calls go by batch: a question of a shard, or who makes the batches. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { renderStatus } from '../../../cli/run/render-progress.js';
import { runStatus } from '../../../cli/run/run-status.js';
import { sharedBy } from '../../../cli/run/shared.js';
import { fileName } from '../../../stores/runs/file-results.js';
import { startHarness } from '../../support/harness.js';
import { handleOf } from '../../support/history.js';
import { bundleWithTimers, METHOD } from '../../support/next-version.js';
import { SOON, setUpBatching } from '../../support/provider-batches.js';
import { soon } from '../../support/run.js';

/** At the provider. */
const HOUR = 3_600_000;

/** What the server reports after a while. */
function reported<T>(look: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(look, { timeout: 90_000, interval: 500 });
}

it('is told of a run of a schedule, and of the collector of its batches', async () => {
  const set = await setUpBatching(
    3,
    {
      durationMs: HOUR,
      line: ({ messages }, times) =>
        times === 0 && messages[0]?.content.includes('number 1?')
          ? { code: 'batch_expired' }
          : undefined,
    },
    // A small batch: its calls miss few heartbeats before they look for a collector again.
    { options: { passages: 0 }, transport: { ...SOON, size: 3 } },
  );
  const { client, spec, harness, server } = set;
  const { taskQueue, ports } = harness;
  const begunBy = async (code: string) => {
    const next = await startHarness(ports.llm, ports, { taskQueue, code });
    onTestFinished(() => next.close());
    return next;
  };

  const { run: name, ...input } = spec;
  await client.createSchedule(name, input, { cron: '0 0 31 12 *' });
  onTestFinished(() => client.deleteSchedule(name).catch(() => {}));
  await client.triggerSchedule(name);
  await soon(() => expect(server.batches[0]?.lines).toHaveLength(3));
  const [{ run = '', workflowId = '' } = {}] = await soon(async () => {
    const found = await client.listRuns();
    expect(found).toHaveLength(1);
    return found;
  });
  server.advance(HOUR);
  const told = await client.getRun(run);
  await soon(async () => expect(await told.progress()).toMatchObject({ done: 2, running: 1 }));
  await soon(() => expect(server.batches[1]?.lines).toHaveLength(1));

  // The question's next step comes with its answer.
  await harness.workers.stop();
  const next = await begunBy(bundleWithTimers(METHOD));
  server.advance(HOUR);
  const question = `${workflowId}/${fileName('n/1')}`;
  const stuck = [{ workflowId: question, problem: 'NonDeterministicError' }];
  await reported(async () => expect(await told.stuck()).toEqual(stuck));
  const places = { runs: ports.runs, place: 'here', describe: client.describeRun };
  const shown = renderStatus(await runStatus(run, places)).join('\n');
  expect(shown).toContain('1 question cannot go on');
  expect(shown).toContain(`temporal workflow terminate --workflow-id '${question}'`);
  expect(shown).toContain(`durable-rag retry ${run}`);
  expect(await client.stuckPools()).toEqual([]);
  await handleOf(harness.connection, question).terminate();
  expect(await told.result()).toMatchObject({ outcomes: { answered: 2, failed: 1 } });
  const again = await next.client.startRun({ ...spec, run }, { again: true });
  expect(await again.result()).toMatchObject({ done: 3, outcomes: { answered: 3 } });
  expect(server.batches).toHaveLength(2);

  // All of it is asked anew, and who makes the batches cannot go on.
  const waits = await next.client.startRun({ ...spec, run: `${name}-fresh`, cache: false });
  await soon(() => expect(server.batches[2]?.lines).toHaveLength(3));
  await next.workers.stop();
  const last = await begunBy(bundleWithTimers(METHOD, 'for (const batch of state.open)'));
  const [collector] = await reported(async () => {
    const found = await last.client.stuckPools();
    expect(found).toMatchObject([{ problem: 'NonDeterministicError' }]);
    return found;
  });
  const { lines } = await sharedBy(last.client);
  const end = `terminate --workflow-id '${collector?.workflowId}'. Another one begins`;
  expect(lines.join('\n')).toContain(end);
  await handleOf(harness.connection, collector?.workflowId ?? '').terminate();
  server.advance(HOUR);
  expect(await waits.result()).toMatchObject({ done: 3, outcomes: { answered: 3 } });
  expect(server.batches).toHaveLength(3);
});
