import type { Client } from '@temporalio/client';
import type { QueueRates } from '../activities/runtime/ports.js';
import { Failure, messageOf } from '../core/failure.js';
import { QUEUE_TYPE } from '../workflows/queue/task-queues.js';

/**
 * Returns functions that read (`get`, null without a limit) and set (`set`, null removes it) the
 * limit of requests per minute that the Temporal server applies to a task queue's activities, over
 * all workers together.
 *
 * @throws Each function: Failure Connection if the server refuses it.
 */
export function queueRates({ workflowService, options: { namespace } }: Client): QueueRates {
  return {
    async set(queue, requestsPerMinute) {
      const rateLimit =
        requestsPerMinute === null
          ? {}
          : { rateLimit: { requestsPerSecond: requestsPerMinute / 60 } };
      await orUnsupported(
        workflowService.updateTaskQueueConfig({
          namespace,
          identity: 'durable-rag',
          taskQueue: queue,
          taskQueueType: QUEUE_TYPE.activity,
          updateQueueRateLimit: { ...rateLimit, reason: 'requests per minute of durable-rag' },
        }),
      );
    },
    async get(queue) {
      const { config } = await orUnsupported(
        workflowService.describeTaskQueue({
          namespace,
          taskQueue: { name: queue },
          taskQueueType: QUEUE_TYPE.activity,
          reportConfig: true,
        }),
      );
      const perSecond = config?.queueRateLimit?.rateLimit?.requestsPerSecond;
      // The server stores it as a 32-bit number.
      return perSecond == null ? null : Number((perSecond * 60).toPrecision(6));
    },
  };
}

async function orUnsupported<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    const why = messageOf(cause);
    throw new Failure(
      'Connection',
      `The Temporal server refused the rate limit of a task queue (${why}). Request limits need server 1.29 or newer, and the permission to change task queues.`,
      { cause },
    );
  }
}
