/** Types of a batch collector's activities, for its workflow. */
import type { BatchStatus, RefusedPart } from '../../llm/batch-endpoint.js';

export interface BatchingActivities {
  /** Waits until a batch is due; returns null once the pool has been empty for `idleSeconds`. */
  gatherBatch(input: GatherInput): Promise<Gathered | null>;
  /** Returns the provider's id of the uploaded file. */
  uploadBatch(plan: PlanRef): Promise<string>;
  createBatch(plan: PlanRef & { file: string }): Promise<BatchStatus>;
  lookAtBatch(id: string): Promise<BatchStatus>;
  takeAnswers(input: TakeInput): Promise<Taken>;
  /** Fails the requests of a batch that cannot be made. */
  giveBack(input: PlanRef & { type: string; message: string }): Promise<void>;
}

export interface GatherInput {
  pool: string;
  next: number;
  known: number[];
  /**
   * Tokens that the batch may have besides those under way; null if the provider named no limit.
   */
  mostTokens: number | null;
  /** Parameters that the model refuses. */
  without: RefusedPart[];
  /** Time without requests after which the collector ends. */
  idleSeconds: number;
}

/** A planned batch. An earlier attempt may have planned it and been killed before reporting it. */
export interface Gathered {
  number: number;
  requests: number;
  bytes: number;
  /** The shortest wait that a waiter asked for, in seconds. */
  waitSeconds: number;
}

export interface PlanRef {
  pool: string;
  number: number;
}

export interface TakeInput extends PlanRef {
  model: string;
  status: BatchStatus;
}

/** The result of a batch, as far as this attempt delivered it. */
export interface Taken {
  answered: number;
  /** Requests whose steps failed. */
  failed: number;
  /** Requests that go into the next batch. */
  again: number;
  /** Parameters that the model turned out to refuse. */
  refused: RefusedPart[];
  /** Whether the batch was refused because too many tokens were under way. */
  tooMuch: boolean;
}
