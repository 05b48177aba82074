/**
 * The workflow that prepares GenRead's clustering-based prompts: a stored demonstration set
 * (GenRead 3.2.2).
 */
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
import type {
  ClusterActivities,
  CollectedQuestions,
  EmbedPairsInput,
  KeptPairs,
  OnPage,
  PaidClusterActivities,
} from './activities/clusters.js';
import type { ClusterInput, ClusterProgress, ClusterSummary, LeftOut } from './cluster-job.js';
import { estimatedOf } from './failures.js';
import { withOne } from './question/ledger.js';
import { askUntilRead, callBounds } from './question/question-calls.js';
import { callOptions, waitingOptions } from './question/step-activities.js';
import { callPriority } from './queue/priorities.js';
import { modelQueue } from './queue/task-queues.js';
import { continueOnCurrent } from './version.js';

/** Pairs embedded in one request, and concurrent requests. */
const EMBEDDED_AT_ONCE = 50;
const REQUESTS = 4;

const { collectTrainQuestions, keepPairs, clusterPairs } = proxyActivities<ClusterActivities>({
  startToCloseTimeout: '7h',
  heartbeatTimeout: '10s',
});

const clusterProgressQuery = defineQuery<ClusterProgress>('progress');

/** Usage of calls and the models that served them; carried from history to history. */
interface CallsSoFar {
  usage: Usage;
  /** Models that wrote documents, as the provider names them. */
  models: string[];
  /** Hashes of the prompts used. */
  prompts: string[];
}

/** State of a job between two histories of its workflow: ids and counts, never a text. */
interface CarriedState extends CallsSoFar {
  collected: CollectedQuestions;
  /** Ids of pages of pairs, one for each finished page of questions. */
  pairs: string[];
  done: number;
  leftOut: LeftOut;
}

/**
 * Runs a clustering job in three steps: writes a document for each question; embeds the pairs;
 * clusters them by K-means and stores the pairs sampled from each cluster under the job's name.
 * Each page of questions has a history of its own, so that none grows long.
 *
 * A job that is started again pays for nothing that the response cache or the store already has.
 */
export async function genreadClusters(
  input: ClusterInput,
  before?: CarriedState,
): Promise<ClusterSummary> {
  const progress: ClusterProgress = { questions: 0, done: 0, failed: 0, running: 0 };
  setHandler(clusterProgressQuery, () => progress, { description: 'How far the job is.' });
  const collected = before?.collected ?? (await collectTrainQuestions(input));
  const { job } = collected;
  const calls = clusterCalls(collected, before);
  const { pairs = [], leftOut = { failed: 0, empty: 0, withoutAnswer: 0 } } = before ?? {};
  progress.questions = collected.questions;
  progress.done = before?.done ?? 0;
  progress.failed = leftOut.failed;

  const page = collected.pages[pairs.length];
  if (page) {
    const kept = await pairsOf(page);
    leftOut.withoutAnswer += kept.withoutAnswer;
    pairs.push(kept.id);
  }
  if (pairs.length < collected.pages.length) {
    return continueOnCurrent<typeof genreadClusters>(input, {
      collected,
      pairs,
      done: progress.done,
      leftOut,
      ...calls.soFar,
    });
  }
  const { models, prompts, usage } = calls.soFar;
  const origin = originOf(collected, models, prompts);
  const set = await clusterPairs({ name: job.name, pages: pairs, origin });
  return {
    name: job.name,
    id: set.id,
    questions: collected.questions,
    leftOut,
    clusters: set.sizes,
    usage,
    origin: set.origin,
  };

  /** Returns the stored pairs of a page of questions, whose embeddings are then in the store. */
  async function pairsOf({ id, questions }: { id: string; questions: number }): Promise<KeptPairs> {
    const documents: (string | null)[] = new Array(questions).fill(null);
    await slidingWindow([...documents.keys()], job.window, async (k) => {
      progress.running++;
      documents[k] = await documentOf(id, k);
      progress.running--;
      progress.done++;
    });
    const kept = await keepPairs({ page: id, documents, onlyWithAnswer: job.onlyWithAnswer });
    if (job.drawnFrom === 'allPairs') return kept;
    const starts = Array.from({ length: kept.pairs }, (_, k) => k).filter(
      (k) => k % EMBEDDED_AT_ONCE === 0,
    );
    await slidingWindow(starts, REQUESTS, (from) =>
      calls.embed({ pairs: kept.id, from, count: EMBEDDED_AT_ONCE }),
    );
    return kept;
  }

  /**
   * Returns the id of a question's document; null if it has none. A single failure does not stop
   * the others.
   */
  async function documentOf(page: string, k: number): Promise<string | null> {
    try {
      const document = await calls.document({ page, k });
      if (document === null) leftOut.empty++;
      return document;
    } catch (error) {
      if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
      const type = error.cause instanceof ApplicationFailure ? (error.cause.type ?? '') : '';
      // The questions were checked before, so a refusal now concerns all of them.
      if (traitsOf(type).common || type === 'BadInput') throw error;
      calls.lost(error);
      leftOut.failed++;
      progress.failed++;
      return null;
    }
  }
}

/** Returns the calls of a job, with retries, re-asks and usage. */
function clusterCalls(
  { job, defaultModel, tenant }: CollectedQuestions,
  before: CallsSoFar | undefined,
) {
  const { limits, task, corpus, transport } = job;
  const tier = tierOf('generateDocument', job.tier);
  const common = callOptions(limits);
  const bounds = callBounds(limits, { tenant });
  const settings = { input: job, defaultModel, transport, tenant };
  const { findDocument } = proxyActivities<ClusterActivities>(common);
  const { priority: own = {}, taskQueue } = workflowInfo();
  const priority = callPriority(own, { tenant, isFirst: true });
  const isShared = Object.keys(priority).length > 0;
  const paid = { ...common, taskQueue: modelQueue(taskQueue), ...(isShared && { priority }) };
  const { embedPairs } = proxyActivities<PaidClusterActivities>(paid);
  const { draftDocument } = proxyActivities<PaidClusterActivities>({
    ...paid,
    ...waitingOptions(limits, tier, transport),
  });
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
      const { usage } = await embedPairs(input, bounds);
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
}
