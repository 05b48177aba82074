/** The job that prepares something for later questions: demonstration sets. */
import { Client } from '@temporalio/client';
import { expect } from 'vitest';
import { collectTrainQuestions } from '../../../activities/jobs/index.js';
import { Failure } from '../../../core/failure.js';
import type { ClusterInput } from '../../../workflows/cluster-job.js';
import { topicModel, trainLines } from '../cluster-job.js';
import { startHarness } from '../harness.js';
import { historiesOf } from '../history.js';
import type { Scenario } from './recording.js';

const outOfCredit = new Failure('QuotaExhausted', 'No credit.');

/** A clustering job over so many questions, whose model may say something of its own. */
async function cluster(
  questions: number,
  say?: (question: string) => string | undefined,
  change: Partial<ClusterInput> = {},
  pages = 1,
) {
  const { connection, taskQueue, ports } = await startHarness(topicModel(say));
  const dataset = trainLines(questions);
  const input = { name: 'topics', dataset, clusters: 2, pairs: 2, window: 1, ...change };
  // A page of its own has 200 questions, which would make a long recording.
  const collected = await collectTrainQuestions(input, ports, AbortSignal.timeout(60_000));
  const before = { collected: { ...collected, pages: collected.pages.flatMap((p) => [p, p]) } };
  const workflowId = 'recorded-clusters';
  const handle = await new Client({ connection }).workflow.start('genreadClusters', {
    taskQueue,
    workflowId,
    args: pages === 1 ? [input] : [input, before],
  });
  const recorded = () => historiesOf(connection, workflowId, handle.firstExecutionRunId);
  return { handle, recorded };
}

export const jobRecordings: Record<string, Scenario> = {
  'genread-clusters': async () => {
    const { handle, recorded } = await cluster(6, (question) => {
      if (question.includes('town 0')) throw new Failure('ContentRefused', 'Not this one.');
      return undefined;
    });
    expect(await handle.result()).toMatchObject({ questions: 6, leftOut: { failed: 1 } });
    return recorded();
  },

  'genread-clusters-retrieved': async () => {
    const { handle, recorded } = await cluster(4, undefined, {
      documents: 'retrieved',
      corpus: 'sample',
    });
    expect(await handle.result()).toMatchObject({ origin: { documents: 'retrieved' } });
    return recorded();
  },

  'genread-clusters-page genread-clusters-last-page': async () => {
    const { handle, recorded } = await cluster(4, undefined, {}, 2);
    expect(await handle.result()).toMatchObject({ questions: 4 });
    return recorded();
  },

  'genread-clusters-stopped': async () => {
    const { handle, recorded } = await cluster(4, () => {
      throw outOfCredit;
    });
    await expect(handle.result()).rejects.toThrow();
    return recorded();
  },
};
