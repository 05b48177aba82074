/** `durable-rag schedule`: creates, lists, starts and deletes schedules of evaluations. */

import type { EvaluationSchedule, ScheduleTimes } from '../../client/schedules.js';
import { command } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import { closing } from '../closing.js';
import type { CliContext } from '../context.js';
import { withDrawnOptions } from '../drawn-demonstrations.js';
import { EXIT } from '../exit-codes.js';
import { errorNamingFlags, type TypedInput } from '../flags.js';
import type { CommandOutput } from '../print-output.js';
import { serverSession } from '../session.js';
import { evalInputs, withStored } from './eval-input.js';

/**
 * Creates a schedule of runs, and returns the output of the command. A data set that is a file is
 * stored first. No worker is needed until a run starts.
 *
 * @param typed Typed flags of `eval`.
 * @throws Failure BadInput naming the flag that is wrong; Conflict if there is a schedule of that
 * name.
 */
export async function createSchedule(
  name: string,
  times: ScheduleTimes,
  typed: TypedInput,
  context: CliContext,
): Promise<CommandOutput> {
  if (typed.fields.run !== undefined) {
    throw new Failure(
      'BadInput',
      '--name: has no place here, since each run is named after the schedule and its time',
    );
  }
  const drawn = await withDrawnOptions(typed, context);
  const run = { ...drawn, fields: { ...drawn.fields, run: name } };
  const runs = evalInputs(run, context);
  if (runs.length > 1) {
    throw new Failure('BadInput', '--noise: a schedule takes one share; create one for each');
  }
  const [asked] = await withStored(runs, context);
  if (!asked) return { code: EXIT.usage };
  const { run: _, ...input } = asked.spec;
  await closing(serverSession(context), ({ client }) =>
    client.createSchedule(name, input, times),
  ).catch((error: unknown) => {
    throw errorNamingFlags(error, ([field]) => `--${String(field)}`);
  });
  const { cron, timezone = 'UTC' } = times;
  return {
    value: { name, cron, timezone, input },
    text: `${name}: ${cron} (${timezone})`,
    next: `${command('schedule', 'trigger', name)} starts a run now`,
  };
}

/**
 * Returns the output of `schedule list`: the schedules with their next times and latest runs, as
 * JSON an array of objects, as text one line for each.
 */
export async function listSchedules(context: CliContext): Promise<CommandOutput> {
  const schedules = await closing(serverSession(context), ({ client }) => client.listSchedules());
  const lines = schedules.map(describe);
  if (lines.length === 0) {
    lines.push(`There is no schedule yet; "${command('schedule', 'create')}" makes one.`);
  }
  return { value: schedules, text: lines.join('\n') };
}

/**
 * Returns a schedule as one line, such as "nightly: 0 2 * * * (UTC), next 2026-01-02T02:00, last
 * nightly-2026-01-01T02-00-00Z".
 */
function describe({ name, cron, timezone, isPaused, next, runs }: EvaluationSchedule): string {
  const [first] = next;
  const last = runs.at(-1);
  return [
    `${name}: ${cron ?? 'times of its own'} (${timezone})`,
    ...(isPaused ? ['paused'] : []),
    ...(first && !isPaused ? [`next ${first.toISOString().slice(0, 16)}`] : []),
    ...(last === undefined ? ['no run yet'] : [`last ${last}`]),
  ].join(', ');
}

/**
 * Starts a run of a schedule now, and returns the output of the command.
 *
 * @throws Failure UnknownSchedule.
 */
export async function triggerSchedule(name: string, context: CliContext): Promise<CommandOutput> {
  await closing(serverSession(context), ({ client }) => client.triggerSchedule(name));
  return {
    value: { name, triggered: true },
    text: `${name}: a run is started`,
    next: command('runs'),
  };
}

/** Deletes a schedule, and returns the output of the command. @throws Failure UnknownSchedule. */
export async function deleteSchedule(name: string, context: CliContext): Promise<CommandOutput> {
  await closing(serverSession(context), ({ client }) => client.deleteSchedule(name));
  return { value: { name, deleted: true }, text: `${name}: deleted; its runs stay` };
}
