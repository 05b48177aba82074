/** Starting questions from a program. */
import {
  Client,
  type Connection,
  type ConnectionOptions,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { canonicalJson } from '../core/canonical-json.js';
import { Failure } from '../core/failure.js';
import { type MethodInput, parseInput } from '../core/options/input.js';
import { methodNamed } from '../core/registry.js';
import type { MethodResult } from '../core/result.js';
import type { ForkInput } from '../core/run/fork-input.js';
import type { RunInput } from '../core/run/input.js';
import { sha256Of } from '../core/sha256.js';
import type { StudyInput } from '../core/study/study.js';
import { ENCRYPTION_KEYS, readKeyring } from '../stores/encryption/keyring.js';
import { codecsOf, withoutKeys } from '../stores/encryption/payload-codec.js';
import type { ClusterInput } from '../workflows/cluster-job.js';
import type { OwnMethod, OwnMethods } from '../workflows/define-method.js';
import type * as workflows from '../workflows/index.js';
import { type MethodName, methodRegistry, type OptionsOf } from '../workflows/methods.js';
import type { Rates } from '../workflows/queue/limits.js';
import { INTERACTIVE } from '../workflows/queue/priorities.js';
import { usualQueue } from '../workflows/queue/task-queues.js';
import { workflowIdOf } from '../workflows/run/run-name.js';
import { attributesAtStart } from '../workflows/search-attributes.js';
import { summaryLine } from '../workflows/summary-line.js';
import { type ClusterHandle, startClusters } from './cluster-job.js';
import { connect, targetOf } from './connect.js';
import { datasetsInUse } from './datasets-in-use.js';
import { deleteRun } from './delete-run.js';
import { type Deployment, describeDeployment, promoteVersion } from './deployments.js';
import { givingAttributes } from './giving-attributes.js';
import { identifyRun } from './identify-run.js';
import { listPools, type PoolProgress } from './list-pools.js';
import { describeRun, listRuns, type RunSummary } from './list-runs.js';
import { type QuestionHandle, questionHandle } from './question-handle.js';
import { listLimits, type QueueLimit, setLimits } from './queue-limits.js';
import { getRun, type RunHandle, startRun } from './run.js';
import {
  createSchedule,
  deleteSchedule,
  type EvaluationSchedule,
  listSchedules,
  type ScheduledInput,
  type ScheduleTimes,
  triggerSchedule,
} from './schedules.js';
import { whileAway } from './server-away.js';
import { type StuckWorkflow, stuckCollectors } from './stuck-workflows.js';
import {
  deleteStudy,
  getStudy,
  retryStudy,
  type StudyCheck,
  type StudyHandle,
  startStudy,
} from './study.js';

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

export interface StartOptions {
  /** @default made of run, method and everything in the input, so that equal starts join */
  workflowId?: string;
  /**
   * Whether to ask an answered question of this id again. The response cache still serves every
   * unchanged call.
   *
   * @default false: its answer is given back
   */
  again?: boolean;
}

/** The chain in the result of a method. */
export type ChainOf<M extends MethodName> =
  Awaited<ReturnType<(typeof workflows)[M]>> extends MethodResult<infer C> ? C : never;

export interface DurableRagClient {
  /**
   * Starts a question, or joins the one of the same id that is under way or answered.
   *
   * @throws Failure BadInput before anything is started, naming the field that is wrong.
   */
  start<M extends MethodName>(
    method: M,
    input: MethodInput<OptionsOf<M>>,
    options?: StartOptions,
  ): Promise<QuestionHandle<ChainOf<M>>>;
  /** Starts a question of a method of your own. */
  start<C>(
    method: string,
    input: MethodInput<Record<string, unknown>>,
    options?: StartOptions,
  ): Promise<QuestionHandle<C>>;
  /** Starts a question and waits for its result. */
  ask<M extends MethodName>(
    method: M,
    input: MethodInput<OptionsOf<M>>,
    options?: StartOptions,
  ): Promise<MethodResult<ChainOf<M>>>;
  ask<C>(
    method: string,
    input: MethodInput<Record<string, unknown>>,
    options?: StartOptions,
  ): Promise<MethodResult<C>>;
  /**
   * Makes a demonstration set for GenRead's clustering-based prompts from train questions: starts
   * the job, or joins it.
   *
   * @throws Failure BadInput before anything is started, naming the field that is wrong.
   */
  startClusters(input: ClusterInput, options?: { workflowId?: string }): Promise<ClusterHandle>;
  /**
   * Starts a run, or joins the one of this name that is under way. A cancelled or failed run
   * continues with what has no answer; an ended one starts only with `again`, and asks its failed
   * questions. If something differs that decides the answers, it continues only with
   * `acceptChange`.
   *
   * @throws Failure before anything is started: BadInput naming the field that is wrong, Conflict
   *   with what differs from the run that is there; Connection where the server is away for a minute.
   */
  startRun(input: RunInput, options?: { again?: boolean }): Promise<RunHandle>;
  /**
   * Starts a run that takes from another one what a change leaves as it is, or joins it. The calls
   * of the step that is changed are asked anew, and behind it what has another address.
   *
   * @throws Failure as `startRun`; UnknownRun where there is no run to fork.
   * @example
   * await client.fork({ run: 'cheaper', fork: { run: 'nq-sure', at: 'rankPair' }, models: { rankPair: 'gpt-5-nano' } });
   */
  fork(input: ForkInput, options?: { again?: boolean }): Promise<RunHandle>;
  /**
   * Returns a hash of what a run would be asked about and with: the content of its data set, corpus
   * and prompts as the workers have them. For names of runs.
   *
   * @throws Failure BadInput as the start would; Connection where no worker is there.
   */
  contentsOf(input: RunInput): Promise<string>;
  /**
   * Starts a study: all of its runs, breadth first, under one budget. One that is under way is
   * joined; one that has ended starts again, and asks only what has no answer.
   *
   * @param datasets By label, how the questions of each data set are named in the store; one that
   *   the study names by \`stored\` needs none.
   * @throws Failure before anything is started: BadInput naming the field that is wrong, Conflict
   *   where it is under way with other cells.
   */
  study(
    input: StudyInput,
    datasets?: ReadonlyMap<string, string>,
    check?: StudyCheck,
  ): Promise<StudyHandle>;
  /** @throws Failure UnknownRun where there is no such study. */
  getStudy(study: string): Promise<StudyHandle>;
  /**
   * Starts a study again as it was started last, or joins it: what has failed is asked once more.
   *
   * @throws Failure UnknownRun where there is no such study.
   */
  retryStudy(study: string): Promise<StudyHandle>;
  /**
   * Deletes the histories of an ended study, not those of its runs.
   *
   * @returns how many there were.
   * @throws Failure Conflict while it is under way.
   */
  deleteStudy(study: string): Promise<number>;
  /** @throws Failure UnknownRun when there is no such run. */
  getRun(run: string): Promise<RunHandle>;
  /** Returns how a run stands, or why it failed; undefined where Temporal has none. */
  describeRun(run: string): Promise<RunSummary | undefined>;
  /**
   * Deletes the histories of an ended run and of its questions. Its results stay; `runs delete` of
   * the command line deletes both.
   *
   * @returns how many histories were deleted.
   * @throws Failure Conflict while it is under way.
   */
  deleteRun(run: string): Promise<number>;
  /**
   * Creates a Temporal Schedule of runs. Each start is a run named after the schedule and the time:
   * "nightly-2026-01-02T02-00-00Z". A start while the last run is under way is skipped.
   *
   * @throws Failure BadInput naming what is wrong; Conflict where there is one of this name.
   */
  createSchedule(name: string, input: ScheduledInput, times: ScheduleTimes): Promise<void>;
  /** Returns the schedules of evaluations, with their next times and latest runs. */
  listSchedules(): Promise<EvaluationSchedule[]>;
  /** Starts a run of a schedule now. @throws Failure UnknownSchedule. */
  triggerSchedule(name: string): Promise<void>;
  /** Deletes a schedule; its runs stay. @throws Failure UnknownSchedule. */
  deleteSchedule(name: string): Promise<void>;
  /** Returns names and hashes of the data sets that schedules, and runs under way, use. */
  datasetsInUse(): Promise<Set<string>>;
  /** Returns the newest 100 runs on this task queue. */
  listRuns(): Promise<RunSummary[]>;
  /** Returns what waits for batches, and which batches are under way. */
  listPools(): Promise<PoolProgress[]>;
  /** Returns the workflows that make those batches and cannot go on. */
  stuckPools(): Promise<StuckWorkflow[]>;
  /** Returns the limits of the task queue, who asked for them, and since when. */
  limits(): Promise<QueueLimit[]>;
  /**
   * Sets limits of the task queue, for all its runs; null takes one back. Returns what is in force.
   *
   * @throws Failure BadInput naming what is wrong.
   */
  setLimits(rates: Partial<Rates>): Promise<QueueLimit[]>;
  /** Returns the versions of the workers, where they are versioned, and how many poll for what. */
  describeDeployment(): Promise<Deployment>;
  /**
   * Lets new questions begin with a version of the workers; see `promoteVersion`.
   *
   * @throws Failure BadInput where there is no such version, Conflict where it lacks workers.
   */
  promoteVersion(build?: string | null): Promise<string | null>;
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
  const withAttributes = givingAttributes();

  async function start<C>(
    method: string,
    input: MethodInput<never>,
    { workflowId, again = false }: StartOptions = {},
  ): Promise<QuestionHandle<C>> {
    const { question, labels } = checked(method, input, registry);
    const id =
      workflowId ?? defaultId(method, { input, taskQueue }, codecs ? '' : question, labels.run);
    try {
      await withAttributes(attributesAtStart(method, labels), (typedSearchAttributes) =>
        client.workflow.start(method, {
          workflowId: id,
          taskQueue,
          args: [input],
          staticSummary: summaryLine(question),
          priority: { priorityKey: INTERACTIVE },
          workflowIdConflictPolicy: 'USE_EXISTING',
          workflowIdReusePolicy: again ? 'ALLOW_DUPLICATE' : 'ALLOW_DUPLICATE_FAILED_ONLY',
          typedSearchAttributes,
        }),
      );
    } catch (error) {
      // It was answered before: the handle leads to that answer.
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    return questionHandle(client.workflow.getHandle(id), method, question);
  }

  return {
    start,
    ask: async <C>(method: string, input: MethodInput<never>, startOptions?: StartOptions) =>
      (await start<C>(method, input, startOptions)).result(),
    startClusters: (input, { workflowId } = {}) =>
      startClusters(client, taskQueue, input, workflowId),
    startRun: (input, runOptions) =>
      whileAway(() => startRun(client, taskQueue, input, runOptions, registry)),
    fork: (input, runOptions) =>
      whileAway(() => startRun(client, taskQueue, input, runOptions, registry)),
    contentsOf: async (input) => (await identifyRun(client, taskQueue, input)).contents,
    study: (...asked) => whileAway(() => startStudy(client, taskQueue, registry, ...asked)),
    getStudy: (study) => whileAway(() => getStudy(client, study)),
    retryStudy: (study) => whileAway(() => retryStudy(client, taskQueue, study)),
    deleteStudy: (study) => deleteStudy(client, study),
    getRun: (run) => whileAway(() => getRun(client, run)),
    describeRun: (run) => describeRun(client, workflowIdOf(run)),
    deleteRun: (run) => deleteRun(client, workflowIdOf(run)),
    createSchedule: (name, input, times) =>
      createSchedule(client, taskQueue, name, input, times, registry),
    listSchedules: () => listSchedules(client),
    triggerSchedule: (name) => triggerSchedule(client, name),
    deleteSchedule: (name) => deleteSchedule(client, name),
    datasetsInUse: () => datasetsInUse(client),
    listRuns: () => listRuns(client, taskQueue),
    listPools: () => listPools(client, taskQueue),
    stuckPools: () => stuckCollectors(client, taskQueue),
    limits: () => listLimits(client, taskQueue),
    setLimits: (rates) => setLimits(client, taskQueue, rates),
    describeDeployment: () => describeDeployment(client, taskQueue),
    promoteVersion: (build) => promoteVersion(client, taskQueue, build),
    async close() {
      if (!options.connection) await connection.close();
    },
  };
}

function checked(name: string, input: unknown, registry: OwnMethods) {
  try {
    return parseInput(methodNamed(name, registry), input);
  } catch (error) {
    if (registry.has(name) || !(error instanceof Failure)) throw error;
    const advice = `A method of your own is named in the client's options: methods: ['${name}']`;
    throw new Failure(error.type, `${error.message}. ${advice}`);
  }
}

/**
 * Returns an id that is the same for the same run, method and input, in whatever order the fields
 * stand. It begins with the question's first words, for people who read lists of workflows.
 */
function defaultId(method: string, start: unknown, question: string, run = 'ask'): string {
  const words = question.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const hash = sha256Of(canonicalJson(start), 16);
  return [run, method, words.join('-').slice(0, 40), hash].filter((part) => part !== '').join('-');
}
