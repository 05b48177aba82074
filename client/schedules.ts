/** Evaluations by the clock: Temporal Schedules of which each start is a run of its own. */
import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type ScheduleSummary,
} from '@temporalio/client';
import { command } from '../core/command.js';
import { Failure } from '../core/failure.js';
import { badInput } from '../core/options/problems.js';
import { datasetLabel } from '../core/run/dataset-input.js';
import type { RunInput } from '../core/run/input.js';
import type { OwnMethods } from '../workflows/define-method.js';
import { parseRunInput } from '../workflows/methods.js';
import { runOf, workflowIdOf } from '../workflows/run/run-name.js';
import { summaryLine } from '../workflows/summary-line.js';

/** The input of a schedule's runs, which are named by the time of their start. */
export type ScheduledInput = Omit<RunInput, 'run'>;

export interface ScheduleTimes {
  /** Five fields, or six with seconds first, or "@daily" and its like. */
  cron: string;
  /** Of the IANA database. @default UTC */
  timezone?: string | undefined;
}

export type EvaluationSchedule = Awaited<ReturnType<typeof listSchedules>>[number];

/** Kept beside a schedule, because the server gives its times back as calendars. */
interface Memo {
  cron?: string;
  timezone?: string;
}

/** Names of runs have 100 characters; a time takes 21 of them. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,78}$/;

export async function createSchedule(
  client: Client,
  taskQueue: string,
  name: string,
  input: ScheduledInput,
  { cron, timezone = 'UTC' }: ScheduleTimes,
  registry?: OwnMethods,
): Promise<void> {
  if (!NAME.test(name)) {
    throw new Failure(
      'BadInput',
      'name: must be letters, digits, ".", "_" or "-", at most 79 of them',
    );
  }
  const { method, dataset } = parseRunInput({ ...input, run: name }, registry);
  const memo: Memo = { cron, timezone };
  try {
    await client.schedule.create({
      // With our prefix, so that no other program's is met.
      scheduleId: workflowIdOf(name),
      spec: { cronExpressions: [cron], timezone },
      action: {
        ...{ type: 'startWorkflow', workflowType: 'evaluateRun', args: [input], taskQueue },
        workflowId: workflowIdOf(name),
        staticSummary: summaryLine(`${method} on ${datasetLabel(dataset)}`),
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP },
      memo: { ...memo },
    });
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning) {
      throw new Failure('Conflict', `There is a schedule "${name}" already.`, { cause: error });
    }
    // The SDK's message when the server refused the times.
    if (!(error instanceof TypeError)) throw error;
    const { message } = error;
    throw badInput('cron', ({ nameOf }) => `is refused, or ${nameOf(['timezone'])} is: ${message}`);
  }
}

export async function listSchedules(client: Client) {
  const found: ScheduleSummary[] = [];
  for await (const one of client.schedule.list()) found.push(one);
  const ours = found.filter(({ action }) => action?.workflowType === 'evaluateRun');
  return ours.map(({ scheduleId, memo, state, info }) => {
    const { cron, timezone = 'UTC' } = (memo ?? {}) as Memo;
    return {
      ...{ name: runOf(scheduleId), cron, timezone, isPaused: state.paused },
      /** The next starts, the earliest first. */
      next: info.nextActionTimes,
      /** The runs of the latest starts, the newest last. */
      runs: info.recentActions.map(({ action }) => runOf(action.workflow.workflowId)),
    };
  });
}

export function triggerSchedule(client: Client, name: string): Promise<void> {
  const handle = client.schedule.getHandle(workflowIdOf(name));
  return handle.trigger(ScheduleOverlapPolicy.ALLOW_ALL).catch(unknownAs(name));
}

export function deleteSchedule(client: Client, name: string): Promise<void> {
  return client.schedule.getHandle(workflowIdOf(name)).delete().catch(unknownAs(name));
}

function unknownAs(name: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    const what = `There is no schedule "${name}"; "${command('schedule', 'list')}" lists them.`;
    throw new Failure('UnknownSchedule', what, { cause: error });
  };
}
