/** What runs and their workflows are called. Pure; workflows use it as well. */

/** What the workflow ids of runs begin with. */
const PREFIX = 'eval/';

/** The time that a schedule puts behind the id, as a name of a run has it: without colons. */
const SCHEDULED = /^(.*-\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)Z$/;

/** What a name of a run may not hold. */
const STRANGE = /[^A-Za-z0-9._-]/g;

/** Returns the workflow id of a run: "eval/nightly-2026-01-02T02:00:00Z" for one of a schedule. */
export function workflowIdOf(run: string): string {
  return PREFIX + run.replace(SCHEDULED, '$1:$2:$3Z');
}

/** Returns the run of a workflow id: "nightly-2026-01-02T02-00-00Z" for one of a schedule. */
export function runOf(workflowId: string): string {
  const name = workflowId.startsWith(PREFIX) ? workflowId.slice(PREFIX.length) : workflowId;
  return name.replace(STRANGE, '-');
}

/**
 * Returns the input of a run under its name. One without a name is called after its workflow, whose
 * id a schedule makes anew for each start. A schedule that names a run would give back the results
 * of its first start for ever: there the time is put behind the name.
 *
 * @param isScheduled Whether a schedule has started the workflow.
 */
export function named<T>(input: T, workflowId: string, isScheduled: boolean): T {
  if (typeof input !== 'object' || input === null) return input;
  const { run } = input as { run?: unknown };
  if (run === undefined) return { ...input, run: runOf(workflowId) };
  if (!isScheduled || typeof run !== 'string') return input;
  const [time = ''] = /-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.exec(workflowId) ?? [];
  return { ...input, run: run + time.replace(STRANGE, '-') };
}

/** Returns run and question of a workflow; a question of no run is its own id. */
export function placeOf(workflowId: string): { run?: string; question?: string } {
  if (!workflowId.startsWith(PREFIX)) return { question: workflowId };
  const at = workflowId.indexOf('/', PREFIX.length);
  if (at === -1) return { run: runOf(workflowId) };
  const question = workflowId.slice(at + 1).replace(/\/judge$/, '');
  return { run: runOf(workflowId.slice(0, at)), question };
}
