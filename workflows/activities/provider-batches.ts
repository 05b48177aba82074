/** The activities of a collector of providers' batches, as its workflow knows them. Types only. */
import type { BatchStatus, Refused } from '../../llm/batch-endpoint.js';

export interface BatchingActivities {
  /** Waits until a batch is due; null when the pool has been empty for long. */
  gatherBatch(input: GatherInput): Promise<Gathered | null>;
  /** Gives the provider's name of the file. */
  uploadBatch(plan: PlanRef): Promise<string>;
  createBatch(plan: PlanRef & { file: string }): Promise<BatchStatus>;
  lookAtBatch(id: string): Promise<BatchStatus>;
  takeAnswers(input: TakeInput): Promise<Taken>;
  /** Fails those whose batch cannot be made. */
  giveBack(input: PlanRef & { type: string; message: string }): Promise<void>;
}

export interface GatherInput {
  pool: string;
  next: number;
  known: number[];
  /** Tokens that the batch may have beside those under way, as far as the provider has said. */
  mostTokens: number | null;
  /** What the model refuses. */
  without: Refused[];
  /** The collector ends when nothing has been in the pool for so long. */
  idleSeconds: number;
}

/** A batch that was decided on, by this look or by one that was killed before it could tell. */
export interface Gathered {
  number: number;
  requests: number;
  bytes: number;
  /** The shortest wait that somebody has asked for. */
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

/** What came of a batch, as far as this attempt has told. */
export interface Taken {
  answered: number;
  /** Whose steps failed by it. */
  failed: number;
  /** That go into the next batch. */
  again: number;
  /** What the model turned out to refuse. */
  refused: Refused[];
  /** More was under way than the provider takes. */
  tooMuch: boolean;
}
