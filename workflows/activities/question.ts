/** Types of a question's activities, for its workflow. */

import type { CompleteInput } from '../../core/options/input.js';
import type { PassageTuple } from '../../core/passages-read.js';
import type { Fork } from '../../core/run/input.js';
import type { RunContext } from '../../core/run/run.js';
import type { TenantShare } from '../../core/tenants.js';
import type { EstimatedUsage } from '../../core/usage.js';
import type { PassageRef } from '../../core/vocabulary.js';
import type { CallRecord } from '../../steps/call-record.js';
import type {
  DemonstrationSetInput,
  DemonstrationSetRef,
  EmbedTextsInput,
  RankInput,
  RetrieveInput,
  ScoreByTfIdfInput,
  SearchSource,
} from '../../steps/non-model-steps.js';
import type { TimedRow } from '../../steps/output-row.js';
import type { ClusterActivities } from '../cluster-job.js';
import type { CallBounds, EmbeddingRow } from './calls.js';
import type { BatchingActivities } from './provider-batches.js';
import type { RateActivities } from './rates.js';
import type { RunActivities } from './run.js';
import type { TuneActivities } from './tune.js';

/**
 * The input of a question with all defaults, in which passages that came with it are replaced by
 * references to stored ones.
 */
export interface PreparedInput<O> extends Omit<CompleteInput<O>, 'retrieval'> {
  retrieval: SearchSource;
}

/**
 * The result of `prepare`: the checked input of a question, and what its calls need besides: the
 * default model, the tenant, the task queues, whether the server has the project's search
 * attributes, and the records of the other run in a fork.
 */
export interface Prepared<O> {
  input: PreparedInput<O>;
  /** Model of the steps for which the input names none. */
  defaultModel: string;
  /** Whether the server has the project's search attributes. */
  searchAttributes: boolean;
  /** Tenant that the question is asked for; absent if there is none. */
  tenant?: TenantShare;
  /**
   * Set if model steps run on the workflow's queue, whose worker can start them at once; absent if
   * they run on the queue whose requests are limited.
   */
  eager?: true;
  /** Set if the workflow's own worker makes the searches. */
  searchesLocally?: true;
  /** Recorded calls of another run that are taken over instead of asked; only in a forked run. */
  fork?: Pick<Fork, 'address' | 'at' | 'output' | 'perfect' | 'run'> & {
    /** Steps whose prompts differ from those of the other run. */
    changed: string[];
    taken: CallRecord[];
  };
  /** Task queue of the searches, if other workers make them. */
  searchQueue?: string;
}

/**
 * The first detail of an activity's failure, which its workflow reads: the estimated usage (tokens
 * and US dollars) of attempts without an answer; and, if a question cannot begin, whether the
 * server has the project's search attributes.
 */
export interface FailureDetail {
  /** Estimated cost of the attempts without an answer. */
  estimated?: EstimatedUsage | undefined;
  /** Whether the server has the project's search attributes; set if a question cannot begin. */
  searchAttributes?: boolean;
}

/** Activities that embed texts or rank passages by a model. An endpoint may charge for them. */
export interface EmbeddingActivities {
  /** Returns the keys under which `ports.embeddings.get` finds the vectors. */
  embedTexts(input: EmbedTextsInput, bounds: CallBounds): Promise<EmbeddingRow<string[]>>;
  /** Returns passages best first. The score is the cosine; equal ones keep their order. */
  rankBySimilarity: RankActivity;
  rankByCrossEncoder: RankActivity;
}

type RankActivity = (
  input: RankInput,
  /** Null if the passages came with the question. */
  corpus: string | null,
  bounds: CallBounds,
) => Promise<EmbeddingRow<PassageRef[]>>;

/**
 * Activities that search passages for a question, and that score passages by words. They run on
 * the task queue of the workflows or on one of their own.
 */
export interface SearchActivities {
  retrieve(
    input: RetrieveInput,
    source: SearchSource,
    bounds: CallBounds,
  ): Promise<TimedRow<PassageTuple[]>>;
  scoreByTfIdf(
    input: ScoreByTfIdfInput,
    /** Null if the passages came with the question. */
    corpus: string | null,
    bounds: CallBounds,
  ): Promise<TimedRow<number[]>>;
}

/**
 * Activities on the task queue of the workflows. They call no language model. Two may cost money
 * all the same: the creation of a provider batch, and a search by vectors, which embeds texts
 * whose vectors are no longer stored.
 */
export interface QuestionActivities
  extends SearchActivities,
    RunActivities,
    TuneActivities,
    Pick<ClusterActivities, 'clusterPairs' | 'openClusterJob'>,
    BatchingActivities,
    RateActivities {
  /** Checks the input of a question, and decides how its calls are made. */
  prepare(method: string, input: unknown, asked?: RunContext): Promise<Prepared<unknown>>;
  /** Returns a reference to a stored demonstration set. */
  findDemonstrationSet(
    input: DemonstrationSetInput,
    bounds: CallBounds,
  ): Promise<TimedRow<DemonstrationSetRef>>;
}
