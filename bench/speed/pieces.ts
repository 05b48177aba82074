/** Where the time of one question goes: the events of its history that waited for each other. Pure. */
import type { temporal } from '@temporalio/proto';
import { figuresTable } from '../figures-table.js';
import { median } from './timing.js';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
/** As protobuf has it, and as JSON of the SDK's core does. */
type Time = { seconds?: unknown; nanos?: number | null } | null | undefined;

/** A stretch of the time of a question, by a name that is the same in every question. */
export interface Piece {
  name: string;
  ms: number;
}

/** A question and its times in milliseconds since 1970, by a clock that is the server's as well. */
export interface Timed {
  events: readonly HistoryEvent[];
  askedAt: number;
  answeredAt: number;
}

/** What the SDK's core writes down of a local activity; each runs after the one before it. */
interface LocalActivity {
  activity_type: string;
  original_schedule_time: Time;
  /** The workflow's time, which stands still in a task, and how long it and those before it took. */
  complete_time: Time;
}

const LOCAL_ACTIVITY = 'core_local_activity';

/**
 * The pieces from asking to the answer, in order; they add up to its time. From the last event on
 * back, each follows what it waited for: a task of the workflow the first result that it was told, a
 * result the task that asked for it.
 *
 * @throws Error where the history has not ended, or a task follows from anything but a result.
 */
export function piecesOf({ events, askedAt, answeredAt }: Timed): Piece[] {
  const at = lookup(events);
  const last = events.at(-1);
  let task = events.findLast((event) => event.workflowTaskCompletedEventAttributes);
  if (!task || !last?.workflowExecutionCompletedEventAttributes) {
    throw new Error('The history of the question has not ended.');
  }
  const pieces = [piece('last event until the client has the answer', timeOf(last), answeredAt)];
  for (let until = timeOf(last); ; ) {
    const { scheduledEventId, startedEventId } = task.workflowTaskCompletedEventAttributes ?? {};
    const [scheduled, started] = [at(scheduledEventId), at(startedEventId)];
    const result = resultBefore(events, scheduled);
    const which = result ? 'later task' : 'first task';
    pieces.unshift(
      piece(`${which}: until a worker has it`, timeOf(scheduled), timeOf(started)),
      ...inTask(which, timeOf(started), localActivities(events, task), until),
    );
    if (!result) {
      return [piece('client until the first task', askedAt, timeOf(scheduled)), ...pieces];
    }
    const call = result.activityTaskCompletedEventAttributes;
    const [asked, begun] = [at(call?.scheduledEventId), at(call?.startedEventId)];
    pieces.unshift(
      piece('model call: until its worker has it', timeOf(asked), timeOf(begun)),
      piece('model call: until the server has its result', timeOf(begun), timeOf(result)),
      piece('result until a task is told of it', timeOf(result), timeOf(scheduled)),
    );
    until = timeOf(asked);
    task = at(asked.activityTaskScheduledEventAttributes?.workflowTaskCompletedEventId);
  }
}

/** The pieces of some questions by name, in Markdown. */
export function piecesTable(questions: readonly (readonly Piece[])[]): string {
  const names = [...new Set(questions.flatMap((pieces) => pieces.map(({ name }) => name)))];
  const row = (name: string) => {
    const own = questions.map((pieces) => pieces.filter((one) => one.name === name));
    return [
      name,
      median(own.flat().map(({ ms }) => ms)).toFixed(1),
      median(own.map((pieces) => pieces.length)).toFixed(0),
      median(own.map(sum)).toFixed(1),
    ];
  };
  return figuresTable([
    ['piece', 'ms', 'in a row', 'ms together'],
    ...names.map(row),
    ['all', '', '', median(questions.map(sum)).toFixed(1)],
  ]);
}

/** From the worker's having a task to the server's having what came of it. */
function inTask(
  which: string,
  started: number,
  locals: readonly LocalActivity[],
  until: number,
): Piece[] {
  const pieces: Piece[] = [];
  let from = started;
  let before = started;
  for (const { activity_type: name, ...local } of locals) {
    const begun = milliseconds(local.original_schedule_time);
    const completed = milliseconds(local.complete_time);
    const ended = begun + completed - before;
    pieces.push(piece(`${which}: until ${name} begins`, from, begun));
    pieces.push(piece(`${which}: ${name}`, begun, ended));
    [from, before] = [ended, completed];
  }
  return [...pieces, piece(`${which}: until the server has its commands`, from, until)];
}

function localActivities(events: readonly HistoryEvent[], task: HistoryEvent): LocalActivity[] {
  return events.flatMap(({ markerRecordedEventAttributes: marker }) => {
    const data = marker?.details?.data?.payloads?.[0]?.data;
    const isOwn = String(marker?.workflowTaskCompletedEventId) === String(task.eventId);
    if (!data || !isOwn || marker?.markerName !== LOCAL_ACTIVITY) return [];
    return JSON.parse(new TextDecoder().decode(data)) as LocalActivity;
  });
}

/** The result for which a task was made; undefined of the first task. */
function resultBefore(
  events: readonly HistoryEvent[],
  scheduled: HistoryEvent,
): HistoryEvent | undefined {
  const before = events.slice(0, events.indexOf(scheduled));
  const taskBefore = before.findLastIndex((event) => event.workflowTaskCompletedEventAttributes);
  if (taskBefore === -1) return undefined;
  const result = before
    .slice(taskBefore)
    .find((event) => event.activityTaskCompletedEventAttributes);
  if (result) return result;
  throw new Error(`The task of event ${scheduled.eventId} was not made for a result.`);
}

function lookup(events: readonly HistoryEvent[]): (id: unknown) => HistoryEvent {
  const byId = new Map(events.map((event) => [String(event.eventId), event]));
  return (id) => {
    const event = byId.get(String(id));
    if (event) return event;
    throw new Error(`The history has no event ${id}.`);
  };
}

function piece(name: string, from: number, until: number): Piece {
  return { name, ms: until - from };
}

function sum(pieces: readonly Piece[]): number {
  return pieces.reduce((total, { ms }) => total + ms, 0);
}

function timeOf({ eventTime }: HistoryEvent): number {
  return milliseconds(eventTime);
}

function milliseconds(time: Time): number {
  return Number(time?.seconds ?? 0) * 1000 + (time?.nanos ?? 0) / 1e6;
}
