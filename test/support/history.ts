/** Reading the history of a workflow as tests need it. */
import { Client, type Connection, type WorkflowHandle } from '@temporalio/client';

export type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

export function handleOf(connection: Connection, workflowId: string): WorkflowHandle {
  return new Client({ connection }).workflow.getHandle(workflowId);
}

/** The whole history as one text, with what stands in its payloads readable. */
export function historyText(history: History): string {
  return JSON.stringify(history, (_, value: unknown) => {
    // Buffers have been turned into this by their toJSON when they come here.
    const bytes = (value as { type?: unknown; data?: number[] } | null)?.type === 'Buffer';
    if (bytes) return Buffer.from((value as { data: number[] }).data).toString();
    return value instanceof Uint8Array ? Buffer.from(value).toString() : value;
  });
}
