/** The job that prepares something for later questions: demonstration sets. */
import { Client } from '@temporalio/client';
import { expect } from 'vitest';
import { scriptedModel } from '../../../testing/scripted-model.js';
import type { ClusterInput } from '../../../workflows/cluster-job.js';
import { keptDocuments } from '../cluster-job.js';
import { startHarness } from '../harness.js';
import { historiesOf } from '../history.js';
import type { Scenario } from './recording.js';

/** A clustering job over a run of 52 questions, which are embedded in two requests. */
async function cluster(change: Partial<ClusterInput> = {}) {
  const { connection, taskQueue, ports } = await startHarness(scriptedModel([]));
  await keptDocuments(ports, 52);
  const workflowId = 'recorded-clusters';
  const handle = await new Client({ connection }).workflow.start('genreadClusters', {
    taskQueue,
    workflowId,
    args: [{ name: 'topics', run: 'train', clusters: 2, pairs: 2, ...change }],
  });
  return {
    handle,
    recorded: () => historiesOf(connection, workflowId, handle.firstExecutionRunId),
  };
}

export const jobRecordings: Record<string, Scenario> = {
  'genread-clusters': async () => {
    const { handle, recorded } = await cluster();
    expect(await handle.result()).toMatchObject({ questions: 52, usage: { calls: 2 } });
    return recorded();
  },

  'genread-clusters-all-pairs': async () => {
    const { handle, recorded } = await cluster({ drawnFrom: 'allPairs' });
    expect(await handle.result()).toMatchObject({ usage: { calls: 0 } });
    return recorded();
  },

  'genread-clusters-refused': async () => {
    const { handle, recorded } = await cluster({ clusters: 60 });
    await expect(handle.result()).rejects.toThrow();
    return recorded();
  },
};
