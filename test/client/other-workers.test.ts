/** Which workers are there already, before one more begins. */
import { expect, inject, it, onTestFinished } from 'vitest';
import { otherWorkers } from '../../client/cli/other-workers.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { startHarness } from '../support/harness.js';

it('names the processes that serve the task queue', async () => {
  const harness = await startHarness(scriptedModel([]));
  onTestFinished(() => harness.close());
  const temporal = {
    namespace: 'default',
    connectConfig: { address: inject('temporalAddress') },
  };
  await expect
    .poll(() => otherWorkers(temporal, harness.taskQueue), { timeout: 20_000 })
    .toEqual([expect.stringContaining(String(process.pid))]);
  expect(await otherWorkers(temporal, 'nobody-serves-it')).toEqual([]);
});
