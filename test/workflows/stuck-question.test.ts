/** A question that the workers' new code cannot follow: the run says so, and a person goes on. */
import { Connection } from '@temporalio/client';
import { Runtime } from '@temporalio/worker';
import { expect, inject, it, onTestFinished } from 'vitest';
import { renderStatus } from '../../cli/run/render-progress.js';
import { runStatus } from '../../cli/run/run-status.js';
import { closeRuntime, installRuntime } from '../../cli/runtime.js';
import { startHarness } from '../support/harness.js';
import { handleOf } from '../support/history.js';
import { bundleWithTimer, METHOD } from '../support/next-version.js';
import { quietReporter } from '../support/quiet-reporter.js';
import { installQuietly } from '../support/quiet-runtime.js';
import { setUpRun, soon } from '../support/run.js';

it('is told by the server, named by the run, and asked again by a person', async () => {
  const log: [string, object | undefined][] = [];
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  onTestFinished(() => connection.close());
  // The runtime of the command line in place of that of the tests: what it logs is looked at.
  await Runtime.instance().shutdown();
  onTestFinished(async () => {
    await closeRuntime();
    installQuietly();
  });
  await installRuntime(
    { ...quietReporter, warn: (text, fields) => void log.push([text, fields]) },
    { server: { connection, namespace: 'default' } },
  );
  let isFirstVersion = true;
  const { harness, client, spec, workflowId, model } = await setUpRun(
    3,
    (number) => (number === 1 && isFirstVersion ? 'hang' : 'Bell'),
    { concurrency: 3 },
  );
  const handle = await client.startRun(spec);
  await soon(async () => expect(await handle.progress()).toMatchObject({ done: 2, running: 1 }));
  expect(await handle.stuck()).toEqual([]);

  isFirstVersion = false;
  await harness.workers.stop();
  const { taskQueue, ports } = harness;
  const next = await startHarness(model, ports, { taskQueue, code: bundleWithTimer(METHOD) });
  const stuck = await soon(async () => {
    const found = await handle.stuck();
    expect(found).toHaveLength(1);
    return found;
  });
  expect(stuck).toEqual([
    { workflowId: expect.stringContaining(`${workflowId}/`), problem: 'NonDeterministicError' },
  ]);
  // The worker that met it says so as well, and nothing else.
  expect(log).toEqual([
    [
      expect.stringMatching(
        new RegExp(
          `^base of ${workflowId}/.* was started with another version .*Nondeterminism error: .*start workers of its version`,
        ),
      ),
      {
        level: 'error',
        kind: 'NonDeterministicError',
        method: 'base',
        run: spec.run,
        question: expect.any(String),
        workflowId: stuck[0]?.workflowId,
      },
    ],
  ]);
  expect(await client.listRuns()).toMatchObject([{ run: spec.run, stuck }]);
  const places = { runs: ports.runs, place: 'here', describe: client.describeRun };
  const told = renderStatus(await runStatus(spec.run, places)).join('\n');
  expect(told).toContain('1 question cannot go on');
  expect(told).toContain(`temporal workflow terminate --workflow-id '${stuck[0]?.workflowId}'`);
  expect(told).toContain(`durable-rag retry ${spec.run}`);

  // As the message says.
  await handleOf(harness.connection, stuck[0]?.workflowId ?? '').terminate();
  expect(await handle.result()).toMatchObject({ outcomes: { answered: 2, failed: 1 } });
  const again = await next.client.startRun(spec, { again: true });
  expect(await again.result()).toMatchObject({ done: 3, outcomes: { answered: 3 } });
  expect(await again.stuck()).toEqual([]);
});
