/** What the bytes of a question's history are: payloads by what they carry, and the rest. Pure. */
import type { temporal } from '@temporalio/proto';
import proto from '@temporalio/proto';
import { modelSteps } from '../../steps/table.js';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Payloads = temporal.api.common.v1.IPayloads;

const { HistoryEvent: Event } = proto.temporal.api.history.v1;
const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

/** By what they are part of; they add up to the events as they are encoded. */
export interface HistoryBytes {
  /** Inputs and outputs of model steps. */
  modelSteps: number;
  /** The result with its chain. */
  result: number;
  /** The input of the question, what was prepared and found, summaries for the Temporal UI. */
  otherPayloads: number;
  /** Temporal's own. */
  rest: number;
}

/** Of one whole history. */
export function historyBytes(events: readonly HistoryEvent[]): HistoryBytes {
  const bytes: HistoryBytes = { modelSteps: 0, result: 0, otherPayloads: 0, rest: 0 };
  const steps = new Map(
    events.map((event) => [
      String(event.eventId),
      event.activityTaskScheduledEventAttributes?.activityType?.name ?? '',
    ]),
  );
  const activityOf = (id: unknown) =>
    Object.hasOwn(modelSteps, steps.get(String(id)) ?? '') ? 'modelSteps' : 'otherPayloads';
  for (const event of events) {
    const scheduled = event.activityTaskScheduledEventAttributes;
    const completed = event.activityTaskCompletedEventAttributes;
    const { summary, details } = event.userMetadata ?? {};
    const carried: [keyof HistoryBytes, Payloads | null | undefined][] = [
      ['otherPayloads', event.workflowExecutionStartedEventAttributes?.input],
      ['result', event.workflowExecutionCompletedEventAttributes?.result],
      [activityOf(event.eventId), scheduled?.input],
      [activityOf(completed?.scheduledEventId), completed?.result],
      // The SDK's own account of a local activity is in the marker's `data`.
      ['otherPayloads', event.markerRecordedEventAttributes?.details?.result],
      ['otherPayloads', { payloads: [summary, details].filter((one) => one != null) }],
    ];
    bytes.rest += Event.encode(event).finish().length;
    for (const [part, payloads] of carried) {
      for (const payload of payloads?.payloads ?? []) {
        const size = PayloadMessage.encode(payload).finish().length;
        bytes[part] += size;
        bytes.rest -= size;
      }
    }
  }
  return bytes;
}
