/**
 * The workflow that prepares GenRead's clustering-based prompts: a stored demonstration set
 * (GenRead 3.2.2).
 */
<<<<<<< HEAD
import { defineQuery, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import { addCall, noUsage, type Usage } from '../core/usage.js';
=======
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  defineQuery,
  isCancellation,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { SetOrigin } from '../core/demonstration-sets.js';
import { forEachLimited } from '../core/each-of.js';
import { traitsOf } from '../core/failure.js';
import { tierOf } from '../core/tier.js';
import { addCall, noUsage, type Usage, withEstimated } from '../core/usage.js';
import { outputOfRow } from '../steps/output-row.js';
>>>>>>> 910a7667 (Leave out of a history what its call says, and counts of nothing)
import type {
  ClusterActivities,
  OpenedClusterJob,
  PaidClusterActivities,
} from './activities/clusters.js';
import type { ClusterInput, ClusterProgress, ClusterSummary } from './cluster-job.js';
import { callBounds } from './question/question-calls.js';
import { callOptions } from './question/step-activities.js';
import { callPriority } from './queue/priorities.js';
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
 * Makes a demonstration set of the questions of a run and the documents that they were answered
 * from: embeds the pairs, clusters them by K-means, and stores the pairs sampled from each cluster
 * under the job's name. The history has places and counts, never a text.
 *
 * A job that is started again pays for no pair that the store has the vector of.
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
  let usage = before?.usage ?? noUsage;

  const { run, onlyWithAnswer } = job;
  const { embedPairs } = paidActivities(opened);
  let from: number | null = job.drawnFrom === 'clusters' ? (before?.from ?? 0) : null;
  while (from !== null) {
    const page = await embedPairs({ run, onlyWithAnswer, from }, callBounds(limits, { tenant }));
    usage = addCall(usage, page.usage);
    progress.done += page.value.questions;
    from = page.value.next;
    if (from !== null && workflowInfo().continueAsNewSuggested) {
      const carried = { opened, from, done: progress.done, usage };
      return continueOnCurrent<typeof genreadClusters>(input, carried);
    }
  }
  return { name: job.name, ...(await clusterPairs(job)), usage };
}

function paidActivities({ limits, tenant }: OpenedClusterJob): PaidClusterActivities {
  const { priority: own = {}, taskQueue } = workflowInfo();
  const priority = callPriority(own, { tenant, isFirst: true });
  return proxyActivities<PaidClusterActivities>({
    ...callOptions(limits),
    taskQueue: modelQueue(taskQueue),
    ...(Object.keys(priority).length > 0 && { priority }),
  });
<<<<<<< HEAD
=======
  const soFar: CallsSoFar = {
    usage: before?.usage ?? noUsage,
    models: before?.models ?? [],
    prompts: before?.prompts ?? [],
  };

  /** Asks like a question's step does; null without a readable output. */
  function generated(question: OnPage): Promise<string | null> {
    return askUntilRead('generateDocument', settings, null, {
      call: (sent) => draftDocument({ ...question, task }, sent),
      called(output) {
        soFar.usage = addCall(soFar.usage, output.usage);
        soFar.models = withOne(soFar.models, output.model);
        soFar.prompts = withOne(soFar.prompts, output.prompt);
      },
      late: lost,
    });
  }

  /** Counts the estimated cost of a failed call. */
  function lost(error: unknown): void {
    soFar.usage = withEstimated(soFar.usage, estimatedOf(error));
  }

  return {
    soFar,
    /** Returns the id of a question's document; null if it has none. */
    document: (question: OnPage): Promise<string | null> =>
      job.documents === 'generated' || corpus === undefined
        ? generated(question)
        : findDocument({ ...question, corpus }, bounds),
    lost,
    async embed(input: EmbedPairsInput): Promise<void> {
      const { usage } = outputOfRow(await embedPairs(input, bounds));
      soFar.usage = addCall(soFar.usage, usage);
    },
  };
}

function originOf(
  { job, source, sha256 }: CollectedQuestions,
  models: string[],
  prompts: string[],
): Omit<SetOrigin, 'embeddingModel'> {
  const { task, documents, corpus, clusters, pairs, seed, sampleSeed, drawnFrom } = job;
  return {
    task,
    documents,
    corpus: documents === 'retrieved' ? (corpus ?? null) : null,
    models,
    prompts,
    clusters,
    pairs,
    ...(drawnFrom === 'allPairs' && { drawnFrom }),
    seed,
    sampleSeed,
    questions: source,
    questionsHash: sha256,
  };
}

/**
 * Runs `run` for every item, at most `size` at a time.
 *
 * `run` must catch what should not stop the rest. An error that it throws stops the window: no
 * further item begins, running ones are cancelled, and the promise rejects after they have ended. A
 * cancellation from outside does the same, so that no child workflow is left behind.
 */
function slidingWindow<T>(
  items: readonly T[],
  size: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const scope = new CancellationScope();
  return scope.run(() =>
    forEachLimited(items, size, (item) =>
      run(item).catch((error: unknown) => {
        scope.cancel();
        throw error;
      }),
    ),
  );
>>>>>>> 910a7667 (Leave out of a history what its call says, and counts of nothing)
}
