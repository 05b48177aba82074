/** The activities of a batch collector; only `createBatch` costs money. */

import { Failure } from '../../core/failure.js';
import type { BatchingActivities } from '../../workflows/activities/provider-batches.js';
import type { Batching, Ports } from '../runtime/ports.js';
import { applicationFailure } from '../runtime/retry-policy.js';
import { gatherBatch } from './gather.js';
import { createBatch, uploadBatch } from './make-batch.js';
import { NO_BATCHES } from './put-request.js';
import { withHeartbeats } from './run-activity.js';
import { giveBack, takeAnswers } from './take-answers.js';

/**
 * Returns the activities of a batch collector, by name. They gather model calls, send them to the
 * provider as a batch, and deliver the answers.
 */
export function batchingActivities(ports: Ports): BatchingActivities {
  /**
   * Returns the batching ports. @throws ApplicationFailure BadInput if this worker has no batch
   * endpoint.
   */
  const batching = (): Batching => {
    if (ports.batching) return ports.batching;
    throw applicationFailure(new Failure('BadInput', NO_BATCHES));
  };
  const all = () => ({ ...ports, batching: batching() });
  return {
    gatherBatch: async (input) => gatherBatch(input, batching(), ports.waiting),
    uploadBatch: async (plan) => uploadBatch(plan, batching()),
    createBatch: async (plan) => createBatch(plan, batching()),
    lookAtBatch: async (id) => {
      const { endpoint } = batching();
      return withHeartbeats((signal) => endpoint.retrieve(id, signal));
    },
    takeAnswers: async (input) => takeAnswers(input, all()),
    giveBack: async (input) => giveBack(input, all()),
  };
}
