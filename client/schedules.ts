/** Scheduled evaluations: Temporal Schedules, each start of which is a separate run. */
import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { command } from '../core/command.js';
import { Failure } from '../core/failure.js';
import { badInput } from '../core/options/problems.js';
import { datasetLabel } from '../core/run/dataset-input.js';
import type { RunInput } from '../core/run/input.js';
import { parseRunInput } from '../interpreters/methods.js';
import type { OwnMethods } from '../workflows/define-method.js';
import { runOf, workflowIdOf } from '../workflows/run/run-name.js';
import { summaryLine } from '../workflows/summary-line.js';
import type { CustomMethods, RunOf } from './method-types.js';

/**
 * The input of a schedule's runs: that of a run without `run`, since each run is named after the
 * schedule and the time of its start.
 */
export type ScheduledInput = Omit<RunInput, 'run'>;

/** A cron expression and its time zone, for the times at which the runs of a schedule start. */
export interface ScheduleTimes {
  /** Cron expression: five fields, or six with seconds first, or "@daily" and similar. */
  cron: string;
  /** Time zone in the IANA database. @default UTC */
  timezone?: string | undefined;
}

/**
 * A schedule of runs: its name, cron expression and time zone, whether it is paused, its next
 * start times, and the names of its latest runs.
 */
export type EvaluationSchedule = Awaited<
  ReturnType<ReturnType<typeof schedules<[]>>['listSchedules']>
>[number];

/**
 * The times of a schedule as they were given, stored with it, since the server returns them as
 * calendars.
 */
interface Memo {
  cron?: string;
  timezone?: string;
}

/**
 * Pattern of a schedule's name. Names of runs have up to 100 characters, 21 of which are the time.
 */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,78}$/;

/** Returns the client's functions for schedules of runs: create, list, trigger and delete. */
export function schedules<Own extends CustomMethods>(
  client: Client,
  taskQueue: string,
  registry: OwnMethods,
) {
  // The prefix avoids collisions with other programs' schedules.
  const handleOf = (name: string) => client.schedule.getHandle(workflowIdOf(name));

  return {
    /**
     * Creates a Temporal Schedule of runs. Each start is a run named after the schedule and the
     * time: "nightly-2026-01-02T02-00-00Z". A start is skipped while the last run is running.
     *
     * @typeParam N As for `startRun`.
     * @throws Failure BadInput naming what is wrong; Conflict if there is one of this name.
     */
    async createSchedule<N extends string>(
      name: string,
      input: RunOf<N, Own, ScheduledInput>,
      { cron, timezone = 'UTC' }: ScheduleTimes,
    ): Promise<void> {
      if (!NAME.test(name)) {
        const what = 'must be letters, digits, ".", "_" or "-", at most 79 of them';
        throw new Failure('BadInput', `name: ${what}`);
      }
      const { method, dataset } = parseRunInput({ ...input, run: name }, registry);
      const memo: Memo = { cron, timezone };
      try {
        await client.schedule.create({
          scheduleId: workflowIdOf(name),
          spec: { cronExpressions: [cron], timezone },
          action: {
            type: 'startWorkflow',
            workflowType: 'evaluateRun',
            args: [input],
            taskQueue,
            workflowId: workflowIdOf(name),
            staticSummary: summaryLine(`${method} on ${datasetLabel(dataset)}`),
          },
          policies: { overlap: ScheduleOverlapPolicy.SKIP },
          memo: { ...memo },
        });
      } catch (error) {
        throw refusalOf(error, name) ?? error;
      }
    },
    /** Returns the schedules of evaluations on this task queue, with next times and latest runs. */
    async listSchedules() {
      const found: ScheduleDescription[] = [];
      for await (const { scheduleId, action } of client.schedule.list()) {
        if (action?.workflowType !== 'evaluateRun') continue;
        // The server's list has no task queues.
        const schedule = await describedSchedule(client, scheduleId);
        if (schedule?.action.taskQueue === taskQueue) found.push(schedule);
      }
      return found.map(({ scheduleId, memo, state, info }) => {
        const { cron, timezone = 'UTC' } = (memo ?? {}) as Memo;
        return {
          name: runOf(scheduleId),
          cron,
          timezone,
          isPaused: state.paused,
          /** Times of the next starts, earliest first. */
          next: info.nextActionTimes,
          /** Names of the runs of the latest starts, newest last. */
          runs: info.recentActions.map(({ action }) => runOf(action.workflow.workflowId)),
        };
      });
    },
    /** Starts a run of a schedule now. @throws Failure UnknownSchedule. */
    triggerSchedule: (name: string): Promise<void> =>
      handleOf(name).trigger(ScheduleOverlapPolicy.ALLOW_ALL).catch(unknownAs(name)),
    /** Deletes a schedule; its runs stay. @throws Failure UnknownSchedule. */
    deleteSchedule: (name: string): Promise<void> => handleOf(name).delete().catch(unknownAs(name)),
  };
}

/** Returns the failure for a refused schedule; undefined for any other error. */
function refusalOf(error: unknown, name: string): Failure | undefined {
  if (error instanceof ScheduleAlreadyRunning) {
    return new Failure('Conflict', `There is already a schedule "${name}".`, { cause: error });
  }
  // The SDK's error if the server refused the times.
  if (!(error instanceof TypeError)) return undefined;
  const { message } = error;
  return badInput('cron', ({ nameOf }) => `or ${nameOf(['timezone'])} was refused: ${message}`);
}

/**
 * Returns a handler that rethrows the server's error for an unknown schedule as Failure
 * UnknownSchedule.
 */
function unknownAs(name: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    const what = `There is no schedule "${name}"; "${command('schedule', 'list')}" lists them.`;
    throw new Failure('UnknownSchedule', what, { cause: error });
  };
}

/** Returns Temporal's description of a schedule; undefined if it was deleted meanwhile. */
export async function describedSchedule(
  client: Client,
  scheduleId: string,
): Promise<ScheduleDescription | undefined> {
  try {
    return await client.schedule.getHandle(scheduleId).describe();
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return undefined;
    throw error;
  }
}
