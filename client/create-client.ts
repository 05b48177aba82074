/** Creates the client, which starts questions, runs and more from a program. */
import { Client, type Connection, type ConnectionOptions } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { Failure } from '../core/failure.js';
import type { RunInput } from '../core/run/input.js';
import type { StudyPlan } from '../core/study/plan.js';
import { withSteps } from '../interpreters/find-own-steps.js';
import { methodRegistry } from '../interpreters/methods.js';
import { ENCRYPTION_KEYS, readKeyring } from '../stores/encryption/keyring.js';
import { codecWithoutKeys, payloadCodecs } from '../stores/encryption/payload-codec.js';
import type { ClusterInput } from '../workflows/cluster-job.js';
import type { Rates } from '../workflows/queue/limits.js';
import { usualQueue } from '../workflows/queue/task-queues.js';
import { startClusters } from './cluster-job.js';
import { connect, targetOf } from './connect.js';
import { describeDeployment, promoteVersion } from './deployments.js';
import { listPools } from './list-pools.js';
import type { CustomMethods } from './method-types.js';
import { questions } from './questions.js';
import { listLimits, setLimits } from './queue-limits.js';
import { runs } from './run.js';
import { describedSchedule, schedules } from './schedules.js';
import { stuckCollectors } from './stuck-workflows.js';
import { studies } from './study.js';

/**
 * Options of `createClient`: the Temporal client or connection to use, encryption, the task queue,
 * and custom methods.
 *
 * @typeParam Own Custom methods, whose names and options `start` and `ask` then accept.
 */
export interface ClientOptions<Own extends CustomMethods = CustomMethods> {
  /**
   * A Temporal client of your own, used with its connection, namespace, interceptors, plugins and
   * data converter. It excludes `connection`, `connect`, `namespace`, `codec` and `encryptionKeys`.
   * If the workers encrypt, its data converter needs their codec: `payloadCodecs()` for
   * `DURABLE_RAG_ENCRYPTION_KEYS`.
   *
   * @example
   * const client = new Client({ connection, dataConverter: { payloadCodecs: payloadCodecs() } });
   * const durable = await createClient({ client });
   */
  client?: Client;
  /**
   * A connection of your own. @default that of the command line: from TEMPORAL_ADDRESS and similar
   * variables, else to this machine at DURABLE_RAG_TEMPORAL_PORT
   */
  connection?: Connection;
  /**
   * Custom methods, which the workers need too. A method given only by name is checked by the
   * workers, and started with `startNamed`.
   */
  methods?: Own;
  /** Payload codec, the same as the workers'. */
  codec?: PayloadCodec[];
  /**
   * Encryption keys of payloads, the same as the workers'; ignored if there is a `codec`.
   * @default DURABLE_RAG_ENCRYPTION_KEYS
   */
  encryptionKeys?: string;
  /** Options of the connection. @default from the environment */
  connect?: ConnectionOptions;
  /** Temporal namespace. @default TEMPORAL_NAMESPACE, or "default" */
  namespace?: string;
  /** Task queue of the workers. @default DURABLE_RAG_TASK_QUEUE, or "durable-rag" */
  taskQueue?: string;
}

/**
 * Client that starts and observes questions, runs, studies, schedules and other jobs of one task
 * queue.
 *
 * @typeParam Own The custom methods that it was created with.
 */
export interface DurableRagClient<Own extends CustomMethods = []>
  extends ReturnType<typeof questions<Own>>,
    ReturnType<typeof runs<Own>>,
    ReturnType<typeof studies<Own>>,
    ReturnType<typeof schedules<Own>>,
    ReturnType<typeof queue> {
  /** Closes the connection, unless it was passed in the options. */
  close(): Promise<void>;
}

/**
 * Connects to Temporal and returns a client.
 *
 * @throws Failure Connection if no server answers or the environment cannot be read; BadInput if
 * options contradict each other, encryption keys are wrong or a custom method cannot be used.
 * @example
 * const client = await createClient();
 * const question = await client.start('sure', { question: 'Who painted The Night Watch?' });
 * const { outcome, answer } = await question.result();
 */
export async function createClient<const Own extends CustomMethods = []>(
  options: ClientOptions<Own> = {},
): Promise<DurableRagClient<Own>> {
  if (options.client) refuseConflicting(options);
  const client = options.client ?? (await clientFor(options));
  const isEncrypted = hasCodec(client);
  const keys = options.client && readKeyring(process.env[ENCRYPTION_KEYS]);
  if (keys && !isEncrypted) throw unencrypted();
  const { DURABLE_RAG_TASK_QUEUE, DURABLE_RAG_DEPLOYMENT } = process.env;
  const taskQueue =
    options.taskQueue ?? (DURABLE_RAG_TASK_QUEUE || usualQueue(DURABLE_RAG_DEPLOYMENT));

  const { methods } = await withSteps({ methods: options.methods });
  const registry = methodRegistry(methods);
  return {
    ...questions<Own>(client, taskQueue, registry, isEncrypted),
    ...runs<Own>(client, taskQueue, registry),
    ...studies<Own>(client, taskQueue, registry),
    ...schedules<Own>(client, taskQueue, registry),
    ...queue(client, taskQueue),
    async close() {
      if (!options.connection && !options.client) await client.connection.close();
    },
  };
}

/**
 * Options that must not be combined with a Temporal client of your own, since it already contains
 * them.
 */
const OF_THE_CLIENT = ['connection', 'connect', 'namespace', 'codec', 'encryptionKeys'] as const;

/**
 * Throws if options are combined with `client` that it already contains.
 *
 * @throws Failure BadInput.
 */
function refuseConflicting(options: ClientOptions): void {
  const given = OF_THE_CLIENT.filter((name) => options[name] !== undefined);
  if (given.length === 0) return;
  throw new Failure(
    'BadInput',
    `createClient: "client" is used as it is, so ${given.join(' and ')} cannot be combined with it. Create that client with its connection, namespace and data converter (for encryption keys: dataConverter: { payloadCodecs: payloadCodecs(keys) }).`,
  );
}

/** Returns the error for a client without a codec, although the workers encrypt. */
function unencrypted(): Failure {
  return new Failure(
    'BadInput',
    `${ENCRYPTION_KEYS} is set, but the client passed to createClient has no codec, so its questions would be stored unencrypted. Create it with: dataConverter: { payloadCodecs: payloadCodecs() }`,
  );
}

/** Returns whether a client has a payload codec that encodes. */
function hasCodec({ options: { loadedDataConverter } }: Client): boolean {
  return loadedDataConverter.payloadCodecs.some((codec) => codec !== codecWithoutKeys);
}

/** Returns a connected Temporal client for the options. */
async function clientFor(options: ClientOptions): Promise<Client> {
  const { namespace, connectConfig } = targetOf(options);
  const connection = options.connection ?? (await connect(connectConfig));
  const own = options.codec ?? [];
  const codecs = own.length > 0 ? own : payloadCodecs(options.encryptionKeys);
  return new Client({ connection, namespace, dataConverter: { payloadCodecs: codecs } });
}

/** Returns the client's functions for a task queue, besides questions, runs and studies. */
function queue(client: Client, taskQueue: string) {
  return {
    /**
     * Starts or joins a job that builds a demonstration set for GenRead's clustering-based prompts
     * from training questions.
     *
     * @throws Failure BadInput before anything is started, naming the field that is wrong.
     */
    startClusters: (input: ClusterInput, { workflowId }: { workflowId?: string } = {}) =>
      startClusters(client, taskQueue, input, workflowId),
    /** Returns references to the data sets that schedules and running runs or studies use. */
    datasetsInUse: () => datasetsInUse(client),
    /** Returns the provider batches in progress, and the number of requests that wait for one. */
    listPools: () => listPools(client, taskQueue),
    /** Returns the batch workflows that cannot continue. */
    stuckPools: () => stuckCollectors(client, taskQueue),
    /** Returns the limits of the task queue, who set them, and since when. */
    limits: () => listLimits(client, taskQueue),
    /**
     * Sets limits of the task queue, for all its runs; null withdraws one. Returns the limits in
     * force.
     *
     * @throws Failure BadInput naming what is wrong.
     */
    setLimits: (rates: Partial<Rates>) => setLimits(client, taskQueue, rates),
    /**
     * Returns the versions of the workers, if they are versioned, and the number of pollers by part
     * of the work.
     */
    describeDeployment: () => describeDeployment(client, taskQueue),
    /**
     * Routes new questions, and the continuation of runs, to a version of the workers. Running
     * questions keep their version.
     *
     * @param build The version; null for unversioned workers. @default the newest version with
     * workers that is not the current one
     * @param percentage Percentage of new questions, from 0 to 100, that start with the version;
     * the others start with the current one. 0 withdraws it. If undefined, the version becomes the
     * current one.
     * @returns The version, or null for unversioned workers.
     * @throws Failure BadInput if there is no such version; Conflict if it has no workers for a
     * part. Both after ten seconds, since the server lists workers with a delay.
     */
    promoteVersion: (build?: string | null, percentage?: number) =>
      promoteVersion(client, taskQueue, build, percentage),
  };
}

/** Workflow types whose input names data sets. */
const ASKING = ['evaluateRun', 'evaluateStudy'];

/**
 * Returns references to the data sets in the inputs of schedules and of running runs and studies,
 * including a study's runs that have not started.
 */
async function datasetsInUse(client: Client): Promise<Set<string>> {
  const used = new Set<string>();
  const add = (input: unknown) => {
    const { dataset, runs = [] } = Object(input) as Partial<RunInput> & Partial<StudyPlan>;
    if (typeof dataset === 'string') used.add(dataset);
    runs.forEach(add);
  };
  for await (const { scheduleId, action } of client.schedule.list()) {
    if (!ASKING.includes(action?.workflowType ?? '')) continue;
    const schedule = await describedSchedule(client, scheduleId);
    add(schedule?.action.args?.[0]);
  }
  const types = ASKING.map((type) => `'${type}'`).join(', ');
  const query = `WorkflowType IN (${types}) AND ExecutionStatus = 'Running'`;
  for await (const { memo } of client.workflow.list({ query })) add(memo?.input ?? memo?.plan);
  return used;
}
