/** Where the time of one question goes: the events of its history that waited for each other. Pure. */
import type { temporal } from '@temporalio/proto';
import { figuresTable } from '../figures-table.js';
import { median } from './timing.js';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** A question and its times in milliseconds since 1970, by a clock that is the server's as well. */
export interface Timed {
  events: readonly HistoryEvent[];
  askedAt: number;
  answeredAt: number;
}

/** The pieces of the time of a question, in the order in which they are told. */
const PIECES = ['client', 'first task, with its search', 'model calls', 'later tasks'] as const;

/** Milliseconds of each; together they are the time of the question. */
export type Pieces = Record<(typeof PIECES)[number], number>;

/**
 * From the last event on back, each follows what it waited for: a task of the workflow the first
 * result that it was told, a result the task that asked for it.
 *
 * @throws Error where the history has not ended, or a task follows from anything but a result.
 */
export function piecesOf({ events, askedAt, answeredAt }: Timed): Pieces {
  const at = lookup(events);
  const last = events.at(-1);
  let task = events.findLast((event) => event.workflowTaskCompletedEventAttributes);
  if (!task || !last?.workflowExecutionCompletedEventAttributes) {
    throw new Error('The history of the question has not ended.');
  }
  let until = timeOf(last);
  const pieces: Pieces = {
    client: answeredAt - until,
    'first task, with its search': 0,
    'model calls': 0,
    'later tasks': 0,
  };
  for (;;) {
    const scheduled = at(task.workflowTaskCompletedEventAttributes?.scheduledEventId);
    const result = resultBefore(events, scheduled);
    if (!result) {
      pieces['first task, with its search'] = until - timeOf(scheduled);
      pieces.client += timeOf(scheduled) - askedAt;
      return pieces;
    }
    const asked = at(result.activityTaskCompletedEventAttributes?.scheduledEventId);
    pieces['later tasks'] += until - timeOf(result);
    pieces['model calls'] += timeOf(result) - timeOf(asked);
    until = timeOf(asked);
    task = at(asked.activityTaskScheduledEventAttributes?.workflowTaskCompletedEventId);
  }
}

/** The pieces of some questions, in Markdown. */
export function piecesTable(questions: readonly Pieces[]): string {
  const ms = (of: (pieces: Pieces) => number) => median(questions.map(of)).toFixed(1);
  const all = (pieces: Pieces) => PIECES.reduce((sum, name) => sum + pieces[name], 0);
  return figuresTable([
    ['piece', 'ms'],
    ...PIECES.map((name) => [name, ms((pieces) => pieces[name])]),
    ['all', ms(all)],
  ]);
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

function timeOf({ eventTime }: HistoryEvent): number {
  return Number(eventTime?.seconds ?? 0) * 1000 + (eventTime?.nanos ?? 0) / 1e6;
}
