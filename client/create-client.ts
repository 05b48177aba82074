/** The client: starts questions, runs and more from a program. */
import {
  Client,
  type Connection,
  type ConnectionOptions,
  ScheduleNotFoundError,
} from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { Failure } from '../core/failure.js';
import type { RunInput } from '../core/run/input.js';
import type { StudyPlan } from '../core/study/plan.js';
import { methodRegistry } from '../interpreters/methods.js';
import { withSteps } from '../interpreters/own-steps.js';
import { ENCRYPTION_KEYS, readKeyring } from '../stores/encryption/keyring.js';
import { payloadCodecs, withoutKeys } from '../stores/encryption/payload-codec.js';
import type { ClusterInput } from '../workflows/cluster-job.js';
import type { Rates } from '../workflows/queue/limits.js';
import { usualQueue } from '../workflows/queue/task-queues.js';
import { startClusters } from './cluster-job.js';
import { connect, targetOf } from './connect.js';
import { describeDeployment, promoteVersion } from './deployments.js';
import { listPools } from './list-pools.js';
import type { Handed } from './method-types.js';
import { questions } from './questions.js';
import { listLimits, setLimits } from './queue-limits.js';
import { runs } from './run.js';
import { schedules } from './schedules.js';
import { stuckCollectors } from './stuck-workflows.js';
import { studies } from './study.js';

/**
 * Connection and methods of a client.
 *
 * @typeParam Own Custom methods, whose names and options `start` and `ask` then accept.
 */
export interface ClientOptions<Own extends Handed = Handed> {
  /**
   * A Temporal client of your own, used as it is: its connection, namespace, interceptors, plugins
   * and data converter. It excludes `connection`, `connect`, `namespace`, `codec` and
   * `encryptionKeys`. If the workers encrypt, its data converter needs their codec:
   * `payloadCodecs()` for `DURABLE_RAG_ENCRYPTION_KEYS`.
   *
   * @example
   * const client = new Client({ connection, dataConverter: { payloadCodecs: payloadCodecs() } });
   * const durable = await createClient({ client });
   */
  client?: Client;
  /**
   * A connection of your own. By default the command line's: from TEMPORAL_ADDRESS and similar
   * variables, or else to this machine and DURABLE_RAG_TEMPORAL_PORT.
   */
  connection?: Connection;
  /**
   * Custom methods, which the workers have too. A method given by its name only is checked by the
   * workers, and started by `startNamed`.
   */
  methods?: Own;
  /** The codec of payloads; the workers need the same. */
  codec?: PayloadCodec[];
  /**
   * Keys of payloads, the same as the workers'; without effect if there is a `codec`. @default
   * DURABLE_RAG_ENCRYPTION_KEYS
   */
  encryptionKeys?: string;
  /** How to connect, instead of by the environment. */
  connect?: ConnectionOptions;
  /** @default TEMPORAL_NAMESPACE, or "default" */
  namespace?: string;
  /** @default DURABLE_RAG_TASK_QUEUE, or "durable-rag" */
  taskQueue?: string;
}

/**
 * Starts and follows questions, runs, studies and schedules.
 *
 * @typeParam Own The custom methods that it was made with.
 */
export interface DurableRagClient<Own extends Handed = []>
  extends ReturnType<typeof questions<Own>>,
    ReturnType<typeof runs<Own>>,
    ReturnType<typeof studies<Own>>,
    ReturnType<typeof schedules<Own>>,
    ReturnType<typeof queue> {
  /** Closes the connection, unless it was given. */
  close(): Promise<void>;
}

/**
 * Connects to Temporal.
 *
 * @throws Failure Connection if no server answers or the environment cannot be read; BadInput if
 * options contradict each other or encryption keys are wrong.
 * @example
 * const client = await createClient();
 * const question = await client.start('sure', { question: 'Who painted The Night Watch?' });
 * const { outcome, answer } = await question.result();
 */
export async function createClient<const Own extends Handed = []>(
  options: ClientOptions<Own> = {},
): Promise<DurableRagClient<Own>> {
  if (options.client) refuseSaidTwice(options);
  const client = options.client ?? (await clientFor(options));
  const isEncrypted = hasCodec(client);
  const keys = options.client && readKeyring(process.env[ENCRYPTION_KEYS]);
  if (keys && !isEncrypted) throw inClear();
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

/** Options that a Temporal client already contains. */
const OF_THE_CLIENT = ['connection', 'connect', 'namespace', 'codec', 'encryptionKeys'] as const;

function refuseSaidTwice(options: ClientOptions): void {
  const given = OF_THE_CLIENT.filter((name) => options[name] !== undefined);
  if (given.length === 0) return;
  throw new Failure(
    'BadInput',
    `createClient: "client" is used as it is, so ${given.join(' and ')} cannot stand beside it. Make that client with its connection, namespace and data converter (for encryption keys: dataConverter: { payloadCodecs: payloadCodecs(keys) }).`,
  );
}

/** Returns the refusal to send unencrypted what the workers of this environment encrypt. */
function inClear(): Failure {
  return new Failure(
    'BadInput',
    `${ENCRYPTION_KEYS} is set, but the client that createClient was given has no codec, so its questions would be kept in clear. Make it with: dataConverter: { payloadCodecs: payloadCodecs() }`,
  );
}

/** Tells whether a client encodes what it sends. */
function hasCodec({ options: { loadedDataConverter } }: Client): boolean {
  return loadedDataConverter.payloadCodecs.some((codec) => codec !== withoutKeys);
}

async function clientFor(options: ClientOptions): Promise<Client> {
  const { namespace, connectConfig } = targetOf(options);
  const connection = options.connection ?? (await connect(connectConfig));
  const own = options.codec ?? [];
  const codecs = own.length > 0 ? own : payloadCodecs(options.encryptionKeys);
  return new Client({ connection, namespace, dataConverter: { payloadCodecs: codecs } });
}

/** Functions of a task queue besides questions, runs and studies. */
function queue(client: Client, taskQueue: string) {
  return {
    /**
     * Makes a demonstration set for GenRead's clustering-based prompts from train questions. Starts
     * the job or joins it.
     *
     * @throws Failure BadInput before anything is started, naming the field that is wrong.
     */
    startClusters: (input: ClusterInput, { workflowId }: { workflowId?: string } = {}) =>
      startClusters(client, taskQueue, input, workflowId),
    /** Returns names and hashes of the data sets used by schedules and running runs. */
    datasetsInUse: () => datasetsInUse(client),
    /** Returns the requests that wait for batches, and the batches under way. */
    listPools: () => listPools(client, taskQueue),
    /** Returns the workflows that make batches and cannot continue. */
    stuckPools: () => stuckCollectors(client, taskQueue),
    /** Returns the limits of the task queue, who asked for them, and since when. */
    limits: () => listLimits(client, taskQueue),
    /**
     * Sets limits of the task queue, for all its runs; null withdraws one. Returns the limits in
     * force.
     *
     * @throws Failure BadInput naming what is wrong.
     */
    setLimits: (rates: Partial<Rates>) => setLimits(client, taskQueue, rates),
    /**
     * Returns the versions of the workers, if they are versioned, and the number of pollers of each
     * part.
     */
    describeDeployment: () => describeDeployment(client, taskQueue),
    /**
     * Makes new questions begin with a version of the workers, and runs continue with it; running
     * questions keep theirs.
     *
     * @param build Default: the newest version with workers that is not the current one. Null for
     * unversioned workers.
     * @param percentage Share of new questions, from 0 to 100; the others begin with the current
     * version. 0 withdraws the share. If left out, the version becomes the current one.
     * @returns The version, or null for unversioned workers.
     * @throws Failure BadInput if there is no such version; Conflict if it has no workers for a
     * part. Both after ten seconds, since the server lists workers some time after they begin to
     * poll.
     */
    promoteVersion: (build?: string | null, percentage?: number) =>
      promoteVersion(client, taskQueue, build, percentage),
  };
}

const ASKING = ['evaluateRun', 'evaluateStudy'];

/**
 * Returns the names and hashes of data sets in the inputs of schedules and of running runs and
 * studies, including those of a study's runs that have not begun.
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
    const schedule = await client.schedule.getHandle(scheduleId).describe().catch(noneIfGone);
    add(schedule?.action.args?.[0]);
  }
  const types = ASKING.map((type) => `'${type}'`).join(', ');
  const query = `WorkflowType IN (${types}) AND ExecutionStatus = 'Running'`;
  for await (const { memo } of client.workflow.list({ query })) add(memo?.input ?? memo?.plan);
  return used;
}

/** Maps the error of a schedule that was deleted since it was listed to undefined. */
function noneIfGone(error: unknown): undefined {
  if (!(error instanceof ScheduleNotFoundError)) throw error;
}
