/** Starts, joins, observes and controls runs. */

import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionDescription,
  type WorkflowHandle,
} from '@temporalio/client';
import { Failure } from '../core/failure.js';
import { differences, runConflict } from '../core/object-differences.js';
import { datasetLabel } from '../core/run/dataset-input.js';
import { type ForkInput, parseFork } from '../core/run/fork-input.js';
import { identityOf, type RunInput, type RunSpec, withoutQuestions } from '../core/run/input.js';
import { isFork } from '../core/run/is-fork.js';
import type { RunProgress, RunSettings } from '../core/run/run.js';
import { checkSettings } from '../core/run/run-settings.js';
import { unknownRun } from '../core/run/unknown-run.js';
import { parseRunInput } from '../interpreters/methods.js';
import { methodsForInput } from '../interpreters/predictions.js';
import type { OwnMethods } from '../workflows/define-method.js';
import { runOf, workflowIdOf } from '../workflows/run/run-name.js';
import { summaryLine } from '../workflows/summary-line.js';
import { deleteRun } from './delete-run.js';
import { identifyRun } from './identify-run.js';
import { descriptionOf, jobHandle, sendUpdate } from './job.js';
import { describeRun, listRuns } from './list-runs.js';
import type { CustomMethods, RunOf } from './method-types.js';
import { retryWhileAway } from './server-away.js';
import { stuckWorkflows } from './stuck-workflows.js';

/**
 * Handle of a run that was started or joined: waits for its result, observes it, pauses it, changes
 * its settings.
 */
export type RunHandle = ReturnType<typeof runHandle>;

interface StartOptions {
  /** Whether an ended run starts again. @default false */
  again?: boolean;
}

/** Number of attempts to start, if other starts interfere. */
const TRIES = 3;

/**
 * Returns the client's functions for runs: they start, fork, find, describe, list and delete runs,
 * and tell which contents and custom metrics a run would have on the workers.
 */
export function runs<Own extends CustomMethods>(
  client: Client,
  taskQueue: string,
  registry: OwnMethods,
) {
  const identify = (input: RunInput | ForkInput) => identifyRun(client, taskQueue, input);

  /**
   * Starts or joins a run. A worker compares the current setup, models and data set included, with
   * that of an existing run; without a worker, the start of an existing run fails with Connection.
   */
  async function start(
    input: RunInput | ForkInput,
    { again = false }: StartOptions = {},
  ): Promise<RunHandle> {
    const { spec, told } = checked(input, registry);
    const workflowId = workflowIdOf(spec.run);
    const handle = client.workflow.getHandle(workflowId);
    for (let tries = 1; ; tries++) {
      const there = await descriptionOf(handle);
      const status = there?.status.name;
      const isToCompare = status === 'RUNNING' || (status === 'COMPLETED' && !spec.acceptChange);
      if (isToCompare && !isFork(spec)) refuseOther(spec, there, registry);
      if (status === 'RUNNING' || (status === 'COMPLETED' && !again)) {
        const isUnderWay = status === 'RUNNING';
        if (await isSame(spec, isUnderWay)) {
          if (isUnderWay && spec.acceptChange)
            await resumeAccepted(runHandle(client, taskQueue, handle));
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
        // It was started elsewhere in the meantime: try again.
        const isTaken = error instanceof WorkflowExecutionAlreadyStartedError;
        if (!isTaken || tries === TRIES) throw error;
      }
    }
  }

  /**
   * Returns whether the setup of a run is unchanged. An accepted difference is applied to a running
   * run; an ended run must be started again with it.
   *
   * @throws Failure Conflict with the differences, if they are not accepted.
   */
  async function isSame(
    { acceptChange, ...spec }: RunSpec | ForkInput,
    isUnderWay: boolean,
  ): Promise<boolean> {
    const accepted = acceptChange && isUnderWay ? { acceptChange } : {};
    const { differences } = await identify({ ...spec, ...accepted });
    if (differences.length === 0) return true;
    if (!acceptChange) throw runConflict(spec, differences);
    return false;
  }

  return {
    /**
     * Starts a run, or joins a running one of this name. A cancelled or failed run continues with
     * questions without an answer. An ended run starts only with `again`, and asks its failed
     * questions. If something differs that affects the answers, it continues only with
     * `acceptChange`.
     *
     * @typeParam N Name of the method. The compiler checks a literal name and its options; a name
     * of type `string` is checked at run time.
     * @throws Failure before anything is started: BadInput naming the field that is wrong; Conflict
     * with the differences from the existing run; Connection if the server is away for a minute.
     */
    startRun: <N extends string>(input: RunOf<N, Own>, options?: StartOptions) =>
      retryWhileAway(() => start(input as RunInput, options)),
    /**
     * Starts or joins a fork: a run that reuses the calls of another run that a change does not
     * affect. The calls of the changed step are made again, and later calls whose input differs.
     *
     * @throws Failure as `startRun`; UnknownRun if there is no run to fork.
     * @example
     * await client.fork({ run: 'cheaper', fork: { run: 'nq-sure', at: 'rankPair' }, models: {
     * rankPair: 'gpt-5-nano' } });
     */
    fork: (input: ForkInput, options?: StartOptions) => retryWhileAway(() => start(input, options)),
    /**
     * Returns a hash of the contents that a run would use: its data set, corpus and prompts on the
     * workers. Names of runs contain it.
     *
     * @throws Failure BadInput as the start would; Connection if there is no worker.
     */
    contentsOf: async <N extends string>(input: RunOf<N, Own>) =>
      (await identify(input as RunInput)).contents,
    /**
     * Returns the names of the custom metrics that a run would have on the workers.
     *
     * @throws As `contentsOf`.
     */
    metricsOf: async <N extends string>(input: RunOf<N, Own>) =>
      (await identify(input as RunInput)).metrics,
    /** Returns the handle of a run. @throws Failure UnknownRun if there is no such run. */
    getRun: (run: string) =>
      retryWhileAway(async () => {
        const handle = client.workflow.getHandle(workflowIdOf(run));
        const there = await descriptionOf(handle);
        if (there) return runHandle(client, there.taskQueue, handle);
        throw unknownRun(run, ' that Temporal knows of');
      }),
    /** Returns the state of a run's last start; undefined if Temporal does not know the run. */
    describeRun: (run: string) => describeRun(client, workflowIdOf(run)),
    /** Returns the newest 100 runs on this task queue. */
    listRuns: () => listRuns(client, taskQueue),
    /**
     * Deletes the histories of an ended run and of its questions. Its results stay; `runs delete`
     * of the command line deletes both.
     *
     * @returns The number of deleted histories.
     * @throws Failure Conflict while the run is running, or a question of a terminated run.
     */
    deleteRun: (run: string) => deleteRun(client, workflowIdOf(run)),
  };
}

/** Returns the checked input, with its description for the Temporal UI and for later starts. */
function checked(input: RunInput | ForkInput, registry: OwnMethods) {
  if (isFork(input)) {
    const spec = parseFork(input);
    const { run, at } = spec.fork;
    const staticSummary = summaryLine(`fork of ${run}${at === undefined ? '' : ` at ${at}`}`);
    return { spec, told: { staticSummary } };
  }
  const spec = parseRunInput(input, methodsForInput(input, registry));
  const staticSummary = summaryLine(`${spec.method} on ${datasetLabel(spec.dataset)}`);
  return { spec, told: { memo: { input: withoutQuestions(input) }, staticSummary } };
}

/** Resumes a run that is paused because its setup had changed; the change is now accepted. */
async function resumeAccepted(handle: RunHandle): Promise<void> {
  if ((await handle.progress()).pause?.reason === 'RunMismatch') await handle.resume();
}

function runHandle(client: Client, taskQueue: string, handle: WorkflowHandle) {
  const run = runOf(handle.workflowId);
  const update = (name: string, change?: Partial<RunSettings>) =>
    sendUpdate<RunProgress>(handle, `run "${run}"`, name, change);
  return {
    ...jobHandle<RunProgress, RunProgress>(handle),
    run,
    /** Starts no new questions until `resume`; running ones continue. Returns the progress. */
    pause: () => update('pause'),
    /** Resumes the run, whatever the reason of the pause. */
    resume: () => update('resume'),
    /**
     * Changes settings, and returns the progress; null removes a limit.
     *
     * @throws Failure BadInput naming the setting that is wrong.
     */
    set: async (settings: Partial<RunSettings>) => update('set', checkSettings(settings)),
    /**
     * Returns the workflows of the run that cannot continue, because the workers' code no longer
     * matches their history or has a bug, or because the workers of their version are gone. The
     * server reports them with a delay of some seconds.
     */
    stuck: () => stuckWorkflows(client, taskQueue, run),
  };
}

/** Throws if a run of this name was started with other options. @throws Failure Conflict. */
function refuseOther(
  spec: RunSpec,
  there: WorkflowExecutionDescription | undefined,
  registry: OwnMethods,
): void {
  // The memo may be missing for a moment, if a plain client started the run.
  if (there?.memo?.input === undefined) return;
  const { memo, status } = there;
  const asked = parseRunInput(memo.input, methodsForInput(memo.input, registry));
  const isUnderWay = status.name === 'RUNNING';
  // An ended run may have been scored again since then; its manifest says how.
  const begun = isUnderWay ? asked : { ...asked, judge: spec.judge, metrics: spec.metrics };
  const models = { ...begun.models, ...spec.models };
  const metrics = spec.metrics ?? begun.metrics;
  const extraBody = spec.extraBody ?? begun.extraBody;
  const differing = differences(
    identityOf(complete(begun, { models, metrics, extraBody })),
    identityOf(complete(spec, { models, metrics, extraBody })),
  );
  if (differing.length === 0) return;
  const [state, way] = isUnderWay
    ? ['is under way', 'cancel it and accept the change']
    : ['has ended', 'accept the change'];
  throw new Failure(
    'Conflict',
    `The run "${spec.run}" ${state} with other options (${differing.join('; ')}); give this one another name (--name), or ${way} (--accept-change).`,
  );
}

/**
 * Returns a spec completed for the comparison. Missing default models, metrics and body fields are
 * the workers'; these, and the content of the data set, are compared when the run is opened.
 */
function complete(
  spec: RunSpec,
  { models, metrics, extraBody }: Pick<RunSpec, 'extraBody' | 'metrics' | 'models'>,
): RunSpec {
  return {
    ...spec,
    dataset: '',
    ...(metrics && { metrics: spec.metrics ?? metrics }),
    ...(extraBody && { extraBody: spec.extraBody ?? extraBody }),
    models: { ...(models.default && { default: models.default }), ...spec.models },
  };
}
