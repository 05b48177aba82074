/**
 * The workflow that prepares GenRead's clustering-based prompts: a stored demonstration set
 * (GenRead 3.2.2).
 */
import { defineQuery, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import { addCall, NO_USAGE, type Usage } from '../core/usage.js';
import { outputOfRow } from '../steps/output-row.js';
import type {
  ClusterActivities,
  ClusterInput,
  ClusterProgress,
  ClusterSummary,
  OpenedClusterJob,
} from './cluster-job.js';
import { callBounds, callOptions, paidOptions } from './question/step-activities.js';
import { modelQueue } from './queue/task-queues.js';
import { continueOnCurrent } from './version.js';

const { openClusterJob, clusterPairs } = proxyActivities<ClusterActivities>({
  startToCloseTimeout: '7h',
  heartbeatTimeout: '10s',
});

const clusterProgressQuery = defineQuery<ClusterProgress>('progress');

/** State of a job between two histories of its workflow. */
interface Carried {
  opened: OpenedClusterJob;
  /** Place of the next question to embed. */
  from: number;
  done: number;
  usage: Usage;
}

/**
 * The workflow of a clustering job. It embeds the questions of a run with the documents that they
 * were answered from, clusters the pairs by K-means, and stores pairs sampled from each cluster as
 * a demonstration set under the job's name. With `drawnFrom` "allPairs" it embeds nothing, and
 * samples each group from all pairs. The history has places and counts, never a text.
 *
 * A job that is started again pays only for pairs whose vectors are not stored.
 */
export async function genreadClusters(
  input: ClusterInput,
  before?: Carried,
): Promise<ClusterSummary> {
  const progress: ClusterProgress = { questions: 0, done: before?.done ?? 0 };
  setHandler(clusterProgressQuery, () => progress, { description: 'How far the job is.' });
  const opened = before?.opened ?? (await openClusterJob(input));
  const { job, limits, tenant, questions } = opened;
  progress.questions = questions;
  let usage = before?.usage ?? NO_USAGE;
  const { embedPairs } = proxyActivities<ClusterActivities>({
    ...callOptions(limits),
    ...paidOptions(modelQueue(workflowInfo().taskQueue), { tenant, isFirst: true }),
  });
  let from: number | null = job.drawnFrom === 'clusters' ? (before?.from ?? 0) : null;
  while (from !== null) {
    const page = outputOfRow(await embedPairs(job, from, callBounds(limits, { tenant })));
    usage = addCall(usage, page.usage);
    progress.done += page.value.questions;
    from = page.value.next;
    if (from !== null && workflowInfo().continueAsNewSuggested) {
      const carried = { opened, from, done: progress.done, usage };
      return continueOnCurrent<typeof genreadClusters>(input, carried);
    }
  }
  return { name: job.name, questions, ...(await clusterPairs(job)), usage };
}
