/** Where workflows and activities are queued. */

/** Workflows, and the activities that cost nothing. */
export const TASK_QUEUE = 'durable-rag';

/** The queue of the model calls alone, so that its rate limit counts nothing else. */
export function modelQueue(taskQueue: string): string {
  return `${taskQueue}-llm`;
}

/** The queue where none is named: workers of two deployments must not take each other's questions. */
export function usualQueue(deployment: string | undefined): string {
  return deployment ? `${TASK_QUEUE}-${deployment}` : TASK_QUEUE;
}
