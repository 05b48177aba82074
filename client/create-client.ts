/** Starting questions from a program. */
import { Client, type Connection, type ConnectionOptions } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import type { ForkInput } from '../core/run/fork-input.js';
import type { RunInput } from '../core/run/input.js';
import type { StudyInput } from '../core/study/study.js';
import { ENCRYPTION_KEYS, readKeyring } from '../stores/encryption/keyring.js';
import { codecsOf, withoutKeys } from '../stores/encryption/payload-codec.js';
import type { ClusterInput } from '../workflows/cluster-job.js';
import type { OwnMethod, OwnMethods } from '../workflows/define-method.js';
import { methodRegistry } from '../workflows/methods.js';
import type { Rates } from '../workflows/queue/limits.js';
import { usualQueue } from '../workflows/queue/task-queues.js';
import { workflowIdOf } from '../workflows/run/run-name.js';
import { startClusters } from './cluster-job.js';
import { connect, targetOf } from './connect.js';
import { datasetsInUse } from './datasets-in-use.js';
import { deleteRun } from './delete-run.js';
import { describeDeployment, promoteVersion } from './deployments.js';
import { identifyRun } from './identify-run.js';
import { listPools } from './list-pools.js';
import { describeRun, listRuns } from './list-runs.js';
import { questions } from './questions.js';
import { listLimits, setLimits } from './queue-limits.js';
import { getRun, startRun } from './run.js';
import {
  createSchedule,
  deleteSchedule,
  listSchedules,
  type ScheduledInput,
  type ScheduleTimes,
  triggerSchedule,
} from './schedules.js';
import { whileAway } from './server-away.js';
import { stuckCollectors } from './stuck-workflows.js';
import { deleteStudy, getStudy, retryStudy, type StudyCheck, startStudy } from './study.js';

export interface ClientOptions {
  /**
   * A connection of your own. By default one as of the command line: from TEMPORAL_ADDRESS and the
   * like, else to this machine and DURABLE_RAG_TEMPORAL_PORT.
   */
  connection?: Connection;
  /**
   * Methods of your own, which the workers have too. If one is given by its name only, the workers
   * check its input.
   */
  methods?: readonly (OwnMethod<unknown> | string)[];
  /** The codec of payloads; the workers need the same. */
  codec?: PayloadCodec[];
  /**
   * The keys of payloads, the same as the workers', if there is no codec of your own.
   * @default DURABLE_RAG_ENCRYPTION_KEYS
   */
  encryptionKeys?: string;
  /** How to connect, where the environment should not decide. */
  connect?: ConnectionOptions;
  /** @default TEMPORAL_NAMESPACE, or "default" */
  namespace?: string;
  /** @default DURABLE_RAG_TASK_QUEUE, or "durable-rag" */
  taskQueue?: string;
}

export interface DurableRagClient
  extends ReturnType<typeof questions>,
    ReturnType<typeof evaluations> {
  /** Closes the connection, if it was made here. */
  close(): Promise<void>;
}

/**
 * Connects to Temporal.
 *
 * @throws Failure Connection when no server answers, or the environment cannot be read.
 * @example
 * const client = await createClient();
 * const question = await client.start('sure', { question: 'Who painted The Night Watch?' });
 * const { outcome, answer } = await question.result();
 */
export async function createClient(options: ClientOptions = {}): Promise<DurableRagClient> {
  const { namespace, connectConfig } = targetOf(options);
  const connection = options.connection ?? (await connect(connectConfig));
  const keys = readKeyring(options.encryptionKeys ?? process.env[ENCRYPTION_KEYS]);
  const codecs = codecsOf(options.codec, keys);
  const dataConverter = { payloadCodecs: codecs ?? [withoutKeys] };
  const client = new Client({ connection, namespace, dataConverter });
  const { DURABLE_RAG_TASK_QUEUE, DURABLE_RAG_DEPLOYMENT } = process.env;
  const taskQueue =
    options.taskQueue ?? (DURABLE_RAG_TASK_QUEUE || usualQueue(DURABLE_RAG_DEPLOYMENT));

  const registry = methodRegistry(options.methods);
  return {
    ...questions(client, taskQueue, registry, codecs !== undefined),
    ...evaluations(client, taskQueue, registry),
    async close() {
      if (!options.connection) await connection.close();
    },
  };
}

/** Runs, studies and schedules, and the task queue that they share. */
function evaluations(client: Client, taskQueue: string, registry: OwnMethods) {
  const begin = (input: RunInput | ForkInput, runOptions?: { again?: boolean }) =>
    whileAway(() => startRun(client, taskQueue, input, runOptions, registry));

  return {
    /**
     * Makes a demonstration set for GenRead's clustering-based prompts from train questions: starts
     * the job, or joins it.
     *
     * @throws Failure BadInput before anything is started, naming the field that is wrong.
     */
    startClusters: (input: ClusterInput, { workflowId }: { workflowId?: string } = {}) =>
      startClusters(client, taskQueue, input, workflowId),
    /**
     * Starts a run, or joins the one of this name that is under way. A cancelled or failed run
     * continues with what has no answer; an ended one starts only with `again`, and asks its failed
     * questions. If something differs that decides the answers, it continues only with
     * `acceptChange`.
     *
     * @throws Failure before anything is started: BadInput naming the field that is wrong, Conflict
     *   with what differs from the run that is there; Connection where the server is away for a minute.
     */
    startRun: (input: RunInput, runOptions?: { again?: boolean }) => begin(input, runOptions),
    /**
     * Starts a run that takes from another one what a change leaves as it is, or joins it. The calls
     * of the step that is changed are asked anew, and behind it what has another address.
     *
     * @throws Failure as `startRun`; UnknownRun where there is no run to fork.
     * @example
     * await client.fork({ run: 'cheaper', fork: { run: 'nq-sure', at: 'rankPair' }, models: { rankPair: 'gpt-5-nano' } });
     */
    fork: (input: ForkInput, runOptions?: { again?: boolean }) => begin(input, runOptions),
    /**
     * Returns a hash of what a run would be asked about and with: the content of its data set, corpus
     * and prompts as the workers have them. For names of runs.
     *
     * @throws Failure BadInput as the start would; Connection where no worker is there.
     */
    contentsOf: async (input: RunInput) => (await identifyRun(client, taskQueue, input)).contents,
    /**
     * Returns the names of the metrics of somebody's own that the workers would give a run.
     *
     * @throws as `contentsOf`.
     */
    metricsOf: async (input: RunInput) => (await identifyRun(client, taskQueue, input)).metrics,
    /**
     * Starts a study: all of its runs, breadth first, under one budget. One that is under way is
     * joined; one that has ended starts again, and asks only what has no answer.
     *
     * @param datasets By label, how the questions of each data set are named in the store; one that
     *   the study names by `stored` needs none.
     * @throws Failure before anything is started: BadInput naming the field that is wrong, Conflict
     *   where it is under way with other cells.
     */
    study: (input: StudyInput, datasets?: ReadonlyMap<string, string>, check?: StudyCheck) =>
      whileAway(() => startStudy(client, taskQueue, registry, input, datasets, check)),
    /** @throws Failure UnknownRun where there is no such study. */
    getStudy: (study: string) => whileAway(() => getStudy(client, study)),
    /**
     * Starts a study again as it was started last, or joins it: what has failed is asked once more.
     *
     * @throws Failure UnknownRun where there is no such study; Conflict where a program started it
     *   that kept nothing to start it by.
     */
    retryStudy: (study: string) => whileAway(() => retryStudy(client, taskQueue, study)),
    /**
     * Deletes the histories of an ended study, not those of its runs.
     *
     * @returns how many there were.
     * @throws Failure Conflict while it is under way.
     */
    deleteStudy: (study: string) => deleteStudy(client, study),
    /** @throws Failure UnknownRun when there is no such run. */
    getRun: (run: string) => whileAway(() => getRun(client, run)),
    /** Returns how a run stands, or why it failed; undefined where Temporal has none. */
    describeRun: (run: string) => describeRun(client, workflowIdOf(run)),
    /**
     * Deletes the histories of an ended run and of its questions. Its results stay; `runs delete` of
     * the command line deletes both.
     *
     * @returns how many histories were deleted.
     * @throws Failure Conflict while it, or a question of one that was terminated, is under way.
     */
    deleteRun: (run: string) => deleteRun(client, workflowIdOf(run)),
    /**
     * Creates a Temporal Schedule of runs. Each start is a run named after the schedule and the time:
     * "nightly-2026-01-02T02-00-00Z". A start while the last run is under way is skipped.
     *
     * @throws Failure BadInput naming what is wrong; Conflict where there is one of this name.
     */
    createSchedule: (name: string, input: ScheduledInput, times: ScheduleTimes) =>
      createSchedule(client, taskQueue, name, input, times, registry),
    /** Returns the schedules of evaluations, with their next times and latest runs. */
    listSchedules: () => listSchedules(client),
    /** Starts a run of a schedule now, whatever the clock says. @throws Failure UnknownSchedule. */
    triggerSchedule: (name: string) => triggerSchedule(client, name),
    /** Deletes a schedule; its runs stay. @throws Failure UnknownSchedule. */
    deleteSchedule: (name: string) => deleteSchedule(client, name),
    /** Returns names and hashes of the data sets that schedules, and runs under way, use. */
    datasetsInUse: () => datasetsInUse(client),
    /** Returns the newest 100 runs on this task queue. */
    listRuns: () => listRuns(client, taskQueue),
    /** Returns what waits for batches, and which batches are under way. */
    listPools: () => listPools(client, taskQueue),
    /** Returns the workflows that make those batches and cannot go on. */
    stuckPools: () => stuckCollectors(client, taskQueue),
    /** Returns the limits of the task queue, who asked for them, and since when. */
    limits: () => listLimits(client, taskQueue),
    /**
     * Sets limits of the task queue, for all its runs; null takes one back. Returns what is in force.
     *
     * @throws Failure BadInput naming what is wrong.
     */
    setLimits: (rates: Partial<Rates>) => setLimits(client, taskQueue, rates),
    /** Returns the versions of the workers, where they are versioned, and how many poll for what. */
    describeDeployment: () => describeDeployment(client, taskQueue),
    /**
     * Lets new questions begin with a version of the workers, and runs continue with it; running
     * questions keep theirs.
     *
     * @param build The newest that has workers and is not the current one where it is left out; null
     *   to go back to workers that are not versioned.
     * @returns the build that is the current one now.
     * @throws Failure BadInput where there is no such version, Conflict where it lacks workers, both
     *   after ten seconds: the server lists workers somewhat after they begin to poll.
     */
    promoteVersion: (build?: string | null) => promoteVersion(client, taskQueue, build),
  };
}
