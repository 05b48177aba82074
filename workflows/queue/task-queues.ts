/** Where workflows and activities are queued. */

/** Workflows, and the activities that cost nothing. */
export const TASK_QUEUE = 'durable-rag';

/** What workers can be for: workflows with what is free beside them, model calls, searches. */
export const ROLES = ['questions', 'models', 'retrieval'] as const;
export type Role = (typeof ROLES)[number];

/** Values of temporal.api.enums.v1.TaskQueueType; the client package re-exports no enums. */
export const QUEUE_TYPE = { workflow: 1, activity: 2 } as const;
export type QueueType = (typeof QUEUE_TYPE)[keyof typeof QUEUE_TYPE];

/** The queue of the model calls alone, so that its rate limit counts nothing else. */
export function modelQueue(taskQueue: string): string {
  return `${taskQueue}-llm`;
}

/** The queue of searches, for workers that leave them to others. */
export function searchQueue(taskQueue: string): string {
  return `${taskQueue}-search`;
}

/** The queue that a role is served on. */
export function queueOf(role: Role, taskQueue: string): string {
  if (role === 'models') return modelQueue(taskQueue);
  return role === 'retrieval' ? searchQueue(taskQueue) : taskQueue;
}

/** The queue where none is named: workers of two deployments must not take each other's questions. */
export function usualQueue(deployment: string | undefined): string {
  return deployment ? `${TASK_QUEUE}-${deployment}` : TASK_QUEUE;
}

/** The worker deployment of a queue, whose versions the server tells apart; it takes no "." and ":". */
export function deploymentOf(taskQueue: string): string {
  return taskQueue.replace(/[.:]/g, '-');
}
