/** Names of runs and of their workflows. Pure; workflows use it as well. */

/** Prefix of the workflow ids of runs. */
const PREFIX = 'eval/';

/** A workflow id ending in the time of a schedule, as run names write it: without colons. */
const SCHEDULED = /^(.*-\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)Z$/;

/** Characters that a run name may not contain. */
const STRANGE = /[^A-Za-z0-9._-]/g;

/**
 * Returns the workflow id of a run: "eval/" and its name. The time in the name of a scheduled run
 * gets its colons back: "eval/nightly-2026-01-02T02:00:00Z".
 */
export function workflowIdOf(run: string): string {
  return PREFIX + run.replace(SCHEDULED, '$1:$2:$3Z');
}

/**
 * Returns the name of the run with a workflow id. Characters that a name may not contain become
 * "-": "nightly-2026-01-02T02-00-00Z".
 */
export function runOf(workflowId: string): string {
  const name = workflowId.startsWith(PREFIX) ? workflowId.slice(PREFIX.length) : workflowId;
  return name.replace(STRANGE, '-');
}

/**
 * Returns the input of a run with a name. An input without one gets that of the workflow id. If a
 * schedule starts a run with a name, the time of the start, the end of the workflow id, is
 * appended, because the run would otherwise be the same each time.
 *
 * @param isScheduled Whether a schedule has started the workflow.
 */
export function inputWithName<T>(input: T, workflowId: string, isScheduled: boolean): T {
  if (typeof input !== 'object' || input === null) return input;
  const { run } = input as { run?: unknown };
  if (run === undefined) return { ...input, run: runOf(workflowId) };
  if (!isScheduled || typeof run !== 'string') return input;
  const [time = ''] = /-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.exec(workflowId) ?? [];
  return { ...input, run: run + time.replace(STRANGE, '-') };
}

/**
 * Returns the name of the run (`run`) and of the question (`question`) of a workflow id; no
 * `question` for the workflow of a run itself. A question outside a run is named by the whole id,
 * and has no `run`.
 */
export function placeOf(workflowId: string): { run?: string; question?: string } {
  if (!workflowId.startsWith(PREFIX)) return { question: workflowId };
  const at = workflowId.indexOf('/', PREFIX.length);
  if (at === -1) return { run: runOf(workflowId) };
  const question = workflowId.slice(at + 1).replace(/\/judge$/, '');
  return { run: runOf(workflowId.slice(0, at)), question };
}
