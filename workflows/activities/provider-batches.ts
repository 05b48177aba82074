/** Types of a batch collector's activities, for its workflow. */
import type { BatchStatus, RefusedPart } from '../../llm/batch-endpoint.js';

/**
 * Activities of a batch collector, the workflow that sends the model calls that wait in a pool to
 * the provider as batches: they plan a batch, upload and create it, check it, and deliver its
 * answers or fail its requests. Only `createBatch` costs money.
 */
export interface BatchingActivities {
  /**
   * Waits until a batch is due, and plans it. Returns null once the pool has been empty for
   * `idleSeconds`.
   */
  gatherBatch(input: GatherInput): Promise<GatheredBatch | null>;
  /** Uploads the request lines of a planned batch. Returns the provider's id of the file. */
  uploadBatch(plan: PlanRef): Promise<string>;
  /** Creates the batch at the provider, unless it already exists, and returns its status. */
  createBatch(plan: PlanRef & { file: string }): Promise<BatchStatus>;
  /**
   * Returns the status of a batch at the provider.
   *
   * @param id The provider's id of the batch.
   */
  lookAtBatch(id: string): Promise<BatchStatus>;
  /** Delivers the answers of an ended batch, and deletes its plan. */
  takeAnswers(input: TakeInput): Promise<DeliveryCounts>;
  /** Fails the requests of a batch that cannot be made. */
  giveBack(input: PlanRef & { type: string; message: string }): Promise<void>;
}

/**
 * Input of `gatherBatch`: the pool (model calls that wait for a batch) to watch, the numbers of
 * the batches under way and of the next one, and the limits of the next one.
 */
export interface GatherInput {
  pool: string;
  /** Number that the next plan gets. */
  next: number;
  /** Numbers of the plans that the workflow already follows. */
  known: number[];
  /**
   * Maximum number of tokens that the batch may add to those under way; null if the provider named
   * no limit.
   */
  mostTokens: number | null;
  /** Parameters that the model refuses. */
  without: RefusedPart[];
  /** Time without requests after which the collector ends, in seconds. */
  idleSeconds: number;
}

/**
 * Result of `gatherBatch`: the number that identifies the planned batch, how many requests it has,
 * its size in bytes, and the shortest wait that one of its callers asked for, in seconds. If an
 * attempt was killed after it planned the batch, the next one returns it.
 */
export interface GatheredBatch {
  number: number;
  /** Number of its requests. */
  requests: number;
  /** Size of its file, in bytes. */
  bytes: number;
  /** The shortest wait that one of its callers asked for, in seconds. */
  waitSeconds: number;
}

/**
 * The name of a pool of waiting model calls and the number of a batch in it, which together
 * identify the plan of the batch.
 */
export interface PlanRef {
  pool: string;
  number: number;
}

/**
 * Input of `takeAnswers`: the plan of a batch that has ended, its model, and its status at the
 * provider.
 */
export interface TakeInput extends PlanRef {
  model: string;
  status: BatchStatus;
}

/**
 * Result of `takeAnswers`: how many requests of a batch this attempt answered, failed or left for
 * the next batch, the parameters that the model turned out to refuse, and whether the batch was
 * refused because too many tokens were under way.
 */
export interface DeliveryCounts {
  /** Number of requests whose steps were answered. */
  answered: number;
  /** Number of requests whose steps failed. */
  failed: number;
  /** Number of requests that go into the next batch. */
  again: number;
  /** Parameters that the model turned out to refuse. */
  refused: RefusedPart[];
  /** Whether the batch was refused because too many tokens were under way. */
  tooMuch: boolean;
}
