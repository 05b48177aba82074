/** What the bytes of a history are counted as. */
import { temporal } from '@temporalio/proto';
import { expect, it } from 'vitest';
import { historyBytes, meanBytes } from '../../bench/speed/history-bytes.js';

const { EventType } = temporal.api.enums.v1;
const { HistoryEvent } = temporal.api.history.v1;

const payload = (text: string) => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(text),
});
const payloads = (text: string) => ({ payloads: [payload(text)] });
/** A payload's text, its encoding, and what tells their lengths. */
const sizeOf = (text: string) => text.length + 26;

const scheduled = (eventId: number, name: string, input: string) => ({
  eventId,
  eventType: EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED,
  activityTaskScheduledEventAttributes: { activityType: { name }, input: payloads(input) },
  userMetadata: { summary: payload('"for the UI"') },
});
const completed = (eventId: number, scheduledEventId: number, result: string) => ({
  eventId,
  eventType: EventType.EVENT_TYPE_ACTIVITY_TASK_COMPLETED,
  activityTaskCompletedEventAttributes: { scheduledEventId, result: payloads(result) },
});

const history = [
  {
    eventId: 1,
    eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED,
    workflowExecutionStartedEventAttributes: { input: payloads('"who?"') },
  },
  {
    eventId: 2,
    eventType: EventType.EVENT_TYPE_MARKER_RECORDED,
    markerRecordedEventAttributes: {
      markerName: 'core_local_activity',
      details: { result: payloads('["a passage"]'), data: payloads('{"seq":1}') },
    },
  },
  scheduled(3, 'retrieve', '"who? where?"'),
  completed(4, 3, '["another"]'),
  scheduled(5, 'summarize', '"of the candidate"'),
  completed(6, 5, '"a summary"'),
  {
    eventId: 7,
    eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED,
    workflowExecutionCompletedEventAttributes: { result: payloads('"she, since..."') },
  },
].map((event) => HistoryEvent.fromObject(event));

it('tells payloads apart by what they carry, and leaves the rest to Temporal', () => {
  const { total, parts, kinds } = historyBytes(history);
  expect(parts).toMatchObject({
    input: sizeOf('"who?"'),
    found: sizeOf('["a passage"]') + sizeOf('"who? where?"') + sizeOf('["another"]'),
    stepInputs: sizeOf('"of the candidate"'),
    stepOutputs: sizeOf('"a summary"'),
    result: sizeOf('"she, since..."'),
    summaries: 2 * sizeOf('"for the UI"'),
  });
  const events = history.map((event) => HistoryEvent.encode(event).finish().length);
  expect(total).toBe(events.reduce((sum, bytes) => sum + bytes, 0));
  expect(Object.values(parts).reduce((sum, bytes) => sum + bytes, 0)).toBe(total);
  expect(kinds).toMatchObject({
    WorkflowExecutionStarted: { events: 1, bytes: events[0] },
    ActivityTaskScheduled: { events: 2, bytes: (events[2] ?? 0) + (events[4] ?? 0) },
  });
});

it('averages histories of different events', () => {
  const whole = historyBytes(history);
  const short = historyBytes(history.slice(0, 1));
  const mean = meanBytes([whole, short]);
  expect(mean.total).toBe((whole.total + short.total) / 2);
  expect(mean.parts.input).toBe(sizeOf('"who?"'));
  expect(mean.parts.result).toBe(sizeOf('"she, since..."') / 2);
  expect(mean.kinds.MarkerRecorded?.events).toBe(0.5);
});

it('counts nothing for an event without payloads', () => {
  const eventType = EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED;
  const { parts } = historyBytes([HistoryEvent.fromObject({ eventId: 1, eventType })]);
  expect(parts).toMatchObject({ input: 0, found: 0, stepInputs: 0, stepOutputs: 0, result: 0 });
  expect(parts.rest).toBeGreaterThan(0);
});
