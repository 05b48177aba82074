/** The activities of a collector of batches; none of them but `createBatch` is paid for. */
import type { BatchStatus } from '../../llm/batch-endpoint.js';
import { Failure } from '../../methods/failure.js';
import type { Batching, Ports } from '../runtime/ports.js';
import { type Gathered, type GatherInput, gather } from './gather.js';
import { createBatch, type PlanRef, uploadBatch } from './make-batch.js';
import { NO_BATCHES } from './put-request.js';
import { applicationFailure, steadily } from './run-activity.js';
import { giveBack, type TakeInput, type Taken, takeAnswers } from './take-answers.js';

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

export function batchingActivities(ports: Ports): BatchingActivities {
  /** Where a worker was set up anew without the endpoint that its pool is for. */
  const batching = (): Batching => {
    if (ports.batching) return ports.batching;
    throw applicationFailure(new Failure('BadInput', NO_BATCHES));
  };
  const all = () => ({ ...ports, batching: batching() });
  return {
    gatherBatch: async (input) => gather(input, batching(), ports.waiting),
    uploadBatch: async (plan) => uploadBatch(plan, batching()),
    createBatch: async (plan) => createBatch(plan, batching()),
    lookAtBatch: async (id) => {
      const { endpoint } = batching();
      return steadily((signal) => endpoint.look(id, signal));
    },
    takeAnswers: async (input) => takeAnswers(input, all()),
    giveBack: async (input) => giveBack(input, all()),
  };
}
