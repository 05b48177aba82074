/** Runs from a program: starting, joining, watching and steering them. */

import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionDescription,
  type WorkflowHandle,
} from '@temporalio/client';
import { differences, differs } from '../core/differences.js';
import { Failure } from '../core/failure.js';
import { datasetLabel } from '../core/run/dataset-input.js';
import { type ForkInput, parseFork } from '../core/run/fork-input.js';
import { identityOf, type RunInput, type RunSpec, withoutQuestions } from '../core/run/input.js';
import { isFork } from '../core/run/is-fork.js';
import type { RunProgress, RunSettings } from '../core/run/run.js';
import { checkSettings } from '../core/run/settings.js';
import { unknownRun } from '../core/run/unknown-run.js';
import type { OwnMethods } from '../workflows/define-method.js';
import { parseRunInput } from '../workflows/methods.js';
import { runOf, workflowIdOf } from '../workflows/run/run-name.js';
import { summaryLine } from '../workflows/summary-line.js';
import { identifyRun } from './identify-run.js';
import { described, jobHandle, sendUpdate } from './job.js';
import { stuckWorkflows } from './stuck-workflows.js';

export type RunHandle = ReturnType<typeof runHandle>;

/** How often a start is tried that others get in the way of. */
const TRIES = 3;

/**
 * A worker compares what it is asked with now, data
 * set and models included, with what it was begun with; without one that fails as Connection.
 */
export async function startRun(
  client: Client,
  taskQueue: string,
  input: RunInput | ForkInput,
  { again = false }: { again?: boolean } = {},
  registry?: OwnMethods,
): Promise<RunHandle> {
  const { spec, told } = checked(input, registry);
  const workflowId = workflowIdOf(spec.run);
  const handle = client.workflow.getHandle(workflowId);
  for (let tries = 1; ; tries++) {
    const there = await described(handle);
    const status = there?.status.name;
    const isToCompare = status === 'RUNNING' || (status === 'COMPLETED' && !spec.acceptChange);
    if (isToCompare && !isFork(spec)) refuseOther(spec, there, registry);
    if (status === 'RUNNING' || (status === 'COMPLETED' && !again)) {
      const isUnderWay = status === 'RUNNING';
      if (await isSame(client, taskQueue, spec, isUnderWay)) {
        if (isUnderWay && spec.acceptChange) await goOn(runHandle(client, taskQueue, handle));
        return runHandle(client, taskQueue, handle);
      }
    }
    try {
      await client.workflow.start('evaluateRun', {
        workflowId,
        taskQueue,
        args: [input],
        ...told,
        workflowIdConflictPolicy: 'FAIL',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      });
      return runHandle(client, taskQueue, handle);
    } catch (error) {
      // Somebody else has started it: look again.
      const isTaken = error instanceof WorkflowExecutionAlreadyStartedError;
      if (!isTaken || tries === TRIES) throw error;
    }
  }
}

/** The input, checked, with what the Temporal UI shows and the next start is compared with. */
function checked(input: RunInput | ForkInput, registry: OwnMethods | undefined) {
  if (isFork(input)) {
    const spec = parseFork(input);
    const { run, at } = spec.fork;
    const staticSummary = summaryLine(`fork of ${run}${at === undefined ? '' : ` at ${at}`}`);
    return { spec, told: { staticSummary } };
  }
  const spec = parseRunInput(input, registry);
  const staticSummary = summaryLine(`${spec.method} on ${datasetLabel(spec.dataset)}`);
  return { spec, told: { memo: { input: withoutQuestions(input) }, staticSummary } };
}

/**
 * Tells whether the run is asked with what it was begun with. A difference that is accepted is
 * taken into a run under way; one that has ended has to be started again with it.
 *
 * @throws Failure Conflict with the differences, where they are not accepted.
 */
async function isSame(
  client: Client,
  taskQueue: string,
  { acceptChange, ...spec }: RunSpec | ForkInput,
  isUnderWay: boolean,
): Promise<boolean> {
  const accepted = acceptChange && isUnderWay ? { acceptChange } : {};
  const { differences } = await identifyRun(client, taskQueue, { ...spec, ...accepted });
  if (differences.length === 0) return true;
  if (!acceptChange) throw differs(spec, differences);
  return false;
}

/** Resumes a run that waited for a change that is now accepted. */
async function goOn(handle: RunHandle): Promise<void> {
  if ((await handle.progress()).pause?.reason === 'RunMismatch') await handle.resume();
}

export async function getRun(client: Client, run: string): Promise<RunHandle> {
  const handle = client.workflow.getHandle(workflowIdOf(run));
  const there = await described(handle);
  if (there) return runHandle(client, there.taskQueue, handle);
  throw unknownRun(run, ' that Temporal knows of');
}

function runHandle(client: Client, taskQueue: string, handle: WorkflowHandle) {
  const run = runOf(handle.workflowId);
  const update = (name: string, change?: Partial<RunSettings>) =>
    sendUpdate<RunProgress>(handle, `run "${run}"`, name, change);
  return {
    ...jobHandle<RunProgress, RunProgress>(handle),
    run,
    /** Stops new questions until `resume`; those under way go on. Returns the progress. */
    pause: () => update('pause'),
    /** Goes on, whatever the reason of the pause. */
    resume: () => update('resume'),
    /**
     * Changes some of the settings; null lifts a limit.
     *
     * @throws Failure BadInput naming the setting that is wrong.
     */
    set: async (settings: Partial<RunSettings>) => update('set', checkSettings(settings)),
    /**
     * Returns the workflows of the run that cannot go on, because the workers' code no longer follows
     * their history or has a fault, or the workers of their version are gone: none where all is well.
     * Told by the server, some seconds late.
     */
    stuck: () => stuckWorkflows(client, taskQueue, run),
  };
}

function refuseOther(
  spec: RunSpec,
  there: WorkflowExecutionDescription | undefined,
  registry: OwnMethods | undefined,
): void {
  // It may be missing for a moment, if a plain client started it.
  if (there?.memo?.input === undefined) return;
  const { memo, status } = there;
  const asked = parseRunInput(memo.input, registry);
  const isUnderWay = status.name === 'RUNNING';
  // One that has ended may have been scored again since: its manifest says how.
  const begun = isUnderWay ? asked : { ...asked, judge: spec.judge, metrics: spec.metrics };
  const models = { ...begun.models, ...spec.models };
  const metrics = spec.metrics ?? begun.metrics;
  const differing = differences(
    identityOf(complete(begun, models, metrics)),
    identityOf(complete(spec, models, metrics)),
  );
  if (differing.length === 0) return;
  const [state, way] = isUnderWay
    ? ['is under way', 'cancel it and take the change into it']
    : ['has ended', 'take the change into it'];
  throw new Failure(
    'Conflict',
    `The run "${spec.run}" ${state} with other options (${differing.join('; ')}); give this one another name (--name), or ${way} (--accept-change).`,
  );
}

/**
 * Completes a spec for the comparison. A default model or metrics that one side does not name are
 * the workers', which opening the run compares, as it does the content of a data set.
 */
function complete(spec: RunSpec, models: RunSpec['models'], metrics: RunSpec['metrics']): RunSpec {
  return {
    ...spec,
    dataset: '',
    ...(metrics && { metrics: spec.metrics ?? metrics }),
    models: { ...(models.default && { default: models.default }), ...spec.models },
  };
}
