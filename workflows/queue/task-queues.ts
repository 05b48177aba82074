/** Names of the task queues of workflows and activities. */
import type { Role } from '../../core/roles.js';

/** Default name of the task queue of workflows and of activities that cost nothing. */
export const TASK_QUEUE = 'durable-rag';

/**
 * Numbers of the task queue types in Temporal's API (temporal.api.enums.v1.TaskQueueType), since
 * the client package re-exports no enums.
 */
export const QUEUE_TYPE = { workflow: 1, activity: 2 } as const;
/** Number of a task queue type in Temporal's API: 1 or 2. */
export type QueueType = (typeof QUEUE_TYPE)[keyof typeof QUEUE_TYPE];

/**
 * Returns the name of the task queue of model calls, those of embedding models and cross-encoders
 * included. It has no other activities, so that its rate limit counts nothing else.
 */
export function modelQueue(taskQueue: string): string {
  return `${taskQueue}-llm`;
}

/**
 * Returns the name of the task queue of searches that belongs to a task queue; workers that only
 * search can serve it.
 */
export function searchQueue(taskQueue: string): string {
  return `${taskQueue}-search`;
}

/**
 * Returns the name of the task queue, derived from that of the workflows, on which workers
 * announce their stores to each other. It never has work.
 */
export function storesQueue(taskQueue: string): string {
  return `${taskQueue}-stores`;
}

/**
 * Returns the name of the task queue that workers of a role (questions, models or retrieval) poll.
 *
 * @param taskQueue The task queue of the questions, from which the other names are made.
 */
export function queueOf(role: Role, taskQueue: string): string {
  if (role === 'models') return modelQueue(taskQueue);
  return role === 'retrieval' ? searchQueue(taskQueue) : taskQueue;
}

/**
 * Returns the default task queue of a deployment, or of the deployment without a name (undefined).
 * Each deployment has its own, so that none takes another's questions.
 */
export function usualQueue(deployment: string | undefined): string {
  return deployment ? `${TASK_QUEUE}-${deployment}` : TASK_QUEUE;
}

/**
 * Returns the name of a task queue's worker deployment: the queue's name with "." and ":" replaced
 * by "-", as Temporal requires.
 */
export function deploymentOf(taskQueue: string): string {
  return taskQueue.replace(/[.:]/g, '-');
}
