/** Reading the history of a workflow as tests need it. */
import { Client, type Connection, type WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';

export type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

export function handleOf(connection: Connection, workflowId: string): WorkflowHandle {
  return new Client({ connection }).workflow.getHandle(workflowId);
}

/** The whole history as one text, with what stands in its payloads readable. */
export function historyText(history: History): string {
  return JSON.stringify(history, (key, value: unknown) =>
    key === 'data' && typeof value === 'string' ? Buffer.from(value, 'base64').toString() : value,
  );
}

/** The steps as the UI lists them, local activities too: activity type and summary. */
export function stepsIn({ events }: History): string[] {
  return (events ?? []).flatMap((event) => {
    const { activityTaskScheduledEventAttributes: scheduled, userMetadata } = event;
    const data = event.markerRecordedEventAttributes?.details?.data?.payloads?.[0];
    const local = data && defaultPayloadConverter.fromPayload<{ activity_type?: string }>(data);
    const name = scheduled?.activityType?.name ?? local?.activity_type;
    const summary = userMetadata?.summary;
    const line = summary && defaultPayloadConverter.fromPayload(summary);
    return name === undefined ? [] : [`${name}: ${line}`];
  });
}

/** The names of the activities that it scheduled, in order, and the queues that they were put on. */
export function scheduledIn({ events }: History): { name: string; queue: string }[] {
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled
      ? [{ name: scheduled.activityType?.name ?? '', queue: scheduled.taskQueue?.name ?? '' }]
      : [],
  );
}

/** The histories of a workflow that goes on in new ones, from the first on. */
export async function historiesOf(
  connection: Connection,
  workflowId: string,
  firstRunId: string,
): Promise<History[]> {
  const { workflow } = new Client({ connection });
  const histories: History[] = [];
  for (let runId: string | null | undefined = firstRunId; runId; ) {
    const history: History = await workflow.getHandle(workflowId, runId).fetchHistory();
    histories.push(history);
    runId =
      history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  }
  return histories;
}
