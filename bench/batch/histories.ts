/** How large the histories of a batch and of its questions have become. */
import type { Connection } from '@temporalio/client';

export interface HistorySize {
  events: number;
  bytes: number;
}

export interface Histories {
  /** Of the batch, which goes on in a new one now and then. */
  batches: number;
  largestBatch: HistorySize;
  largestQuestion: HistorySize;
}

/** Of all batches in the namespace, and all questions by `method`. */
export async function measureHistories(connection: Connection, method: string): Promise<Histories> {
  const batches = await sizesOf(connection, 'evaluateRun');
  const questions = await sizesOf(connection, method);
  return {
    batches: batches.length,
    largestBatch: largest(batches),
    largestQuestion: largest(questions),
  };
}

async function sizesOf({ workflowService }: Connection, type: string): Promise<HistorySize[]> {
  const sizes: HistorySize[] = [];
  let nextPageToken: Uint8Array | undefined;
  do {
    const page = await workflowService.listWorkflowExecutions({
      namespace: 'default',
      query: `WorkflowType = '${type}'`,
      pageSize: 1000,
      ...(nextPageToken && { nextPageToken }),
    });
    for (const { historyLength, historySizeBytes } of page.executions) {
      sizes.push({ events: Number(historyLength), bytes: Number(historySizeBytes) });
    }
    nextPageToken = page.nextPageToken?.length ? page.nextPageToken : undefined;
  } while (nextPageToken);
  return sizes;
}

function largest(sizes: readonly HistorySize[]): HistorySize {
  return sizes.reduce(
    (most, { events, bytes }) => ({
      events: Math.max(most.events, events),
      bytes: Math.max(most.bytes, bytes),
    }),
    { events: 0, bytes: 0 },
  );
}
