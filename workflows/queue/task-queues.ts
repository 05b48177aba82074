/** Names of the task queues of workflows and activities. */
import type { Role } from '../../core/roles.js';

/** Queue of workflows and of activities that cost nothing. */
export const TASK_QUEUE = 'durable-rag';

/** Values of temporal.api.enums.v1.TaskQueueType, since the client package re-exports no enums. */
export const QUEUE_TYPE = { workflow: 1, activity: 2 } as const;
/** Number of a type of task queue in the API of Temporal. */
export type QueueType = (typeof QUEUE_TYPE)[keyof typeof QUEUE_TYPE];

/** Returns the queue of model calls alone, so that its rate limit counts nothing else. */
export function modelQueue(taskQueue: string): string {
  return `${taskQueue}-llm`;
}

/**
 * Returns the queue of searches, for which other workers than those of the workflows can be
 * started.
 */
export function searchQueue(taskQueue: string): string {
  return `${taskQueue}-search`;
}

/** Returns the queue on which workers announce their stores to each other; it never has work. */
export function storesQueue(taskQueue: string): string {
  return `${taskQueue}-stores`;
}

/** Returns the task queue that the workers of a role poll. */
export function queueOf(role: Role, taskQueue: string): string {
  if (role === 'models') return modelQueue(taskQueue);
  return role === 'retrieval' ? searchQueue(taskQueue) : taskQueue;
}

/** Returns the default queue of a deployment. Deployments must not take each other's questions. */
export function usualQueue(deployment: string | undefined): string {
  return deployment ? `${TASK_QUEUE}-${deployment}` : TASK_QUEUE;
}

/** Returns the name of a queue's worker deployment, which must not contain "." or ":". */
export function deploymentOf(taskQueue: string): string {
  return taskQueue.replace(/[.:]/g, '-');
}
