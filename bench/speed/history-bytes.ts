/** What the bytes of a question's history are: payloads by what they carry, and events by kind. Pure. */
import type { temporal } from '@temporalio/proto';
import proto from '@temporalio/proto';
import { modelSteps } from '../../steps/table.js';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Payload = temporal.api.common.v1.IPayload;
type Payloads = temporal.api.common.v1.IPayloads;

const { HistoryEvent: Event } = proto.temporal.api.history.v1;
const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

/** What a byte of a history is part of, in the order in which it is told. */
export const PARTS = {
  input: 'input of the question',
  found: 'results of preparing and searching',
  stepInputs: 'inputs of model steps',
  stepOutputs: 'outputs of model steps',
  result: 'result with its chain',
  summaries: 'summaries for the Temporal UI',
  rest: "Temporal's own",
} as const;

export type Part = keyof typeof PARTS;

export interface HistoryBytes {
  /** As the events are encoded; what the server counts of a history is a little more. */
  total: number;
  /** Add up to the total. */
  parts: Record<Part, number>;
}

/** Of one whole history. */
export function historyBytes(events: readonly HistoryEvent[]): HistoryBytes {
  const parts = eachPart(() => 0);
  const steps = new Map(events.map((event) => [String(event.eventId), stepOf(event)]));
  let total = 0;
  for (const event of events) {
    const bytes = Event.encode(event).finish().length;
    total += bytes;
    let rest = bytes;
    for (const [part, payloads] of carried(event, steps)) {
      const size = payloads.reduce((sum, payload) => sum + sizeOf(payload), 0);
      parts[part] += size;
      rest -= size;
    }
    parts.rest += rest;
  }
  return { total, parts };
}

/** The mean of several histories. */
export function meanBytes(histories: readonly HistoryBytes[]): HistoryBytes {
  const mean = (of: (one: HistoryBytes) => number) =>
    histories.reduce((sum, one) => sum + of(one), 0) / histories.length;
  return {
    total: mean(({ total }) => total),
    parts: eachPart((part) => mean(({ parts }) => parts[part])),
  };
}

/** The same figure of every part. */
function eachPart(of: (part: Part) => number): Record<Part, number> {
  const parts = Object.keys(PARTS) as Part[];
  return Object.fromEntries(parts.map((part) => [part, of(part)])) as Record<Part, number>;
}

/** The payloads of an event, by what they are part of. */
function carried(
  event: HistoryEvent,
  steps: ReadonlyMap<string, string | undefined>,
): [Part, readonly Payload[]][] {
  const scheduled = event.activityTaskScheduledEventAttributes;
  const completed = event.activityTaskCompletedEventAttributes;
  const isModelStep = (name: string | null | undefined) => Object.hasOwn(modelSteps, name ?? '');
  const { summary, details } = event.userMetadata ?? {};
  return [
    ['input', listOf(event.workflowExecutionStartedEventAttributes?.input)],
    ['result', listOf(event.workflowExecutionCompletedEventAttributes?.result)],
    [isModelStep(scheduled?.activityType?.name) ? 'stepInputs' : 'found', listOf(scheduled?.input)],
    [
      isModelStep(steps.get(String(completed?.scheduledEventId))) ? 'stepOutputs' : 'found',
      listOf(completed?.result),
    ],
    // The SDK's own account of a local activity is in the marker's `data`.
    ['found', listOf(event.markerRecordedEventAttributes?.details?.result)],
    ['summaries', [summary, details].filter((payload) => payload != null)],
  ];
}

/** The name of the activity that an event schedules. */
function stepOf(event: HistoryEvent): string | undefined {
  return event.activityTaskScheduledEventAttributes?.activityType?.name ?? undefined;
}

function listOf(payloads: Payloads | null | undefined): readonly Payload[] {
  return payloads?.payloads ?? [];
}

function sizeOf(payload: Payload): number {
  return PayloadMessage.encode(payload).finish().length;
}
