/** Which events of a history the time of a question is told by. */
import { temporal } from '@temporalio/proto';
import { expect, it } from 'vitest';
import { piecesOf, piecesTable } from '../../bench/speed/pieces.js';

const time = (ms: number) => ({ seconds: Math.floor(ms / 1000), nanos: (ms % 1000) * 1e6 });
const event = <T extends object>(eventId: number, ms: number, attributes: T) => ({
  eventId,
  eventTime: time(ms),
  ...attributes,
});
const scheduledTask = (id: number, ms: number) =>
  event(id, ms, { workflowTaskScheduledEventAttributes: {} });
const startedTask = (id: number, ms: number) =>
  event(id, ms, { workflowTaskStartedEventAttributes: {} });
const completedTask = (id: number, ms: number, scheduledEventId: number, startedEventId: number) =>
  event(id, ms, { workflowTaskCompletedEventAttributes: { scheduledEventId, startedEventId } });
const asked = (id: number, ms: number, workflowTaskCompletedEventId: number) =>
  event(id, ms, {
    activityTaskScheduledEventAttributes: {
      activityType: { name: 'x' },
      workflowTaskCompletedEventId,
    },
  });
const begun = (id: number, ms: number) => event(id, ms, { activityTaskStartedEventAttributes: {} });
const answered = (id: number, ms: number, scheduledEventId: number, startedEventId: number) =>
  event(id, ms, { activityTaskCompletedEventAttributes: { scheduledEventId, startedEventId } });
/** The SDK counts from the start of the task how long local activities have taken. */
const local = (id: number, ms: number, task: number, name: string, from: number, until: number) =>
  event(id, ms, {
    markerRecordedEventAttributes: {
      markerName: 'core_local_activity',
      workflowTaskCompletedEventId: task,
      details: {
        data: {
          payloads: [
            {
              data: Buffer.from(
                JSON.stringify({
                  activity_type: name,
                  original_schedule_time: time(from),
                  complete_time: time(until),
                }),
              ),
            },
          ],
        },
      },
    },
  });

/** Two calls in a row, the second beside another one whose answer comes while a task is under way. */
const history = [
  event(1, 1010, { workflowExecutionStartedEventAttributes: {} }),
  scheduledTask(2, 1010),
  startedTask(3, 1012),
  completedTask(4, 1040, 2, 3),
  local(5, 1040, 4, 'prepare', 1020, 1016),
  local(6, 1040, 4, 'retrieve', 1026, 1023),
  asked(7, 1040, 4),
  begun(8, 1041),
  answered(9, 1250, 7, 8),
  scheduledTask(10, 1251),
  startedTask(11, 1253),
  completedTask(12, 1263, 10, 11),
  asked(13, 1263, 12),
  asked(14, 1263, 12),
  begun(15, 1265),
  answered(16, 1470, 13, 15),
  scheduledTask(17, 1470),
  startedTask(18, 1472),
  completedTask(19, 1480, 17, 18),
  begun(20, 1266),
  answered(21, 1475, 14, 20),
  scheduledTask(22, 1480),
  startedTask(23, 1480),
  completedTask(24, 1490, 22, 23),
  event(25, 1491, { workflowExecutionCompletedEventAttributes: {} }),
].map((event) => temporal.api.history.v1.HistoryEvent.fromObject(event));

const timed = { events: history, askedAt: 1000, answeredAt: 1496 };

it('follows what the answer waited for, back to the client', () => {
  expect(piecesOf(timed)).toEqual([
    { name: 'client until the first task', ms: 10 },
    { name: 'first task: until a worker has it', ms: 2 },
    { name: 'first task: until prepare begins', ms: 8 },
    { name: 'first task: prepare', ms: 4 },
    { name: 'first task: until retrieve begins', ms: 2 },
    { name: 'first task: retrieve', ms: 7 },
    { name: 'first task: until the server has its commands', ms: 7 },
    { name: 'model call: until its worker has it', ms: 1 },
    { name: 'model call: until the server has its result', ms: 209 },
    { name: 'result until a task is told of it', ms: 1 },
    { name: 'later task: until a worker has it', ms: 2 },
    { name: 'later task: until the server has its commands', ms: 10 },
    { name: 'model call: until its worker has it', ms: 3 },
    { name: 'model call: until the server has its result', ms: 209 },
    { name: 'result until a task is told of it', ms: 5 },
    { name: 'later task: until a worker has it', ms: 0 },
    { name: 'later task: until the server has its commands', ms: 11 },
    { name: 'last event until the client has the answer', ms: 5 },
  ]);
});

it('adds up to the time of the question', () => {
  const pieces = piecesOf(timed);
  expect(pieces.reduce((sum, { ms }) => sum + ms, 0)).toBe(496);
});

it('tells a table of several questions', () => {
  const table = piecesTable([piecesOf(timed), piecesOf({ ...timed, answeredAt: 1500 })]);
  expect(table).toContain('| later task: until the server has its commands | 10.5 | 2 | 21.0 |');
  expect(table).toContain('| last event until the client has the answer | 7.0 | 1 | 7.0 |');
  expect(table).toContain('| all |  |  | 498.0 |');
});

it('refuses a history that goes on, and a task that no result has made', () => {
  expect(() => piecesOf({ ...timed, events: history.slice(0, -1) })).toThrow('has not ended');
  const timer = history.filter(({ eventId }) => Number(eventId) !== 21);
  expect(() => piecesOf({ ...timed, events: timer })).toThrow('event 22');
});
