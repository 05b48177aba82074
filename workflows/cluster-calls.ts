/** The calls of a clustering job, with their retries, re-asks and usage. */
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import { tierOf } from '../core/tier.js';
import { addCall, noUsage, type Usage, withEstimated } from '../core/usage.js';
import type {
  ClusterActivities,
  EmbedPairsInput,
  OnPage,
  PaidClusterActivities,
} from './activities/clusters.js';
import type { ClusterJob } from './cluster-job.js';
import { estimatedOf } from './failures.js';
import { callOptions, waitingOptions } from './question/call-options.js';
import { callBounds, modelCalls } from './question/model-calls.js';
import { modelQueue } from './queue/task-queues.js';
import { withOne } from './with-one.js';

/** What calls took and who served them; travels from run to run. */
export interface CallsSoFar {
  usage: Usage;
  /** The models that wrote documents, as the provider names them. */
  models: string[];
  /** Hashes of the prompts used. */
  prompts: string[];
}

export interface ClusterCalls {
  readonly soFar: CallsSoFar;
  /** Returns the id of a question's document; null where there is none. */
  document(question: OnPage): Promise<string | null>;
  /** Counts what a call may have cost that failed. */
  lost(error: unknown): void;
  embed(input: EmbedPairsInput): Promise<void>;
}

export function clusterCalls(
  job: ClusterJob,
  defaultModel: string,
  before: CallsSoFar | undefined,
): ClusterCalls {
  const { limits, task, corpus, transport } = job;
  const tier = tierOf('generateDocument', job.tier);
  const common = callOptions(limits);
  const bounds = callBounds(limits);
  const askUntilRead = modelCalls(job, defaultModel, null, transport);
  const { findDocument } = proxyActivities<ClusterActivities>(common);
  const paid = { ...common, taskQueue: modelQueue(workflowInfo().taskQueue) };
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

  /** Asks as a question's step does; without a readable output there is no document. */
  function generated(question: OnPage): Promise<string | null> {
    return askUntilRead(
      'generateDocument',
      (call) => draftDocument({ ...question, task }, call),
      (output) => {
        soFar.usage = addCall(soFar.usage, output.usage);
        soFar.models = withOne(soFar.models, output.model);
        soFar.prompts = withOne(soFar.prompts, output.prompt);
      },
    );
  }

  return {
    soFar,
    document: (question) =>
      job.documents === 'generated' || corpus === undefined
        ? generated(question)
        : findDocument({ ...question, corpus }, bounds),
    lost(error) {
      soFar.usage = withEstimated(soFar.usage, estimatedOf(error));
    },
    async embed(input) {
      const { usage } = await embedPairs(input, bounds);
      soFar.usage = addCall(soFar.usage, usage);
    },
  };
}
