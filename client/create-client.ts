/** Starting questions from a program. */
import { Client, type Connection, type ConnectionOptions } from '@temporalio/client';
import type { PayloadCodec } from '@temporalio/common';
import { Failure } from '../core/failure.js';
import { methodRegistry } from '../interpreters/methods.js';
import { withSteps } from '../interpreters/own-steps.js';
import { ENCRYPTION_KEYS, readKeyring } from '../stores/encryption/keyring.js';
import { payloadCodecs, withoutKeys } from '../stores/encryption/payload-codec.js';
import type { ClusterInput } from '../workflows/cluster-job.js';
import type { Rates } from '../workflows/queue/limits.js';
import { usualQueue } from '../workflows/queue/task-queues.js';
import { startClusters } from './cluster-job.js';
import { connect, targetOf } from './connect.js';
import { datasetsInUse } from './datasets-in-use.js';
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
 * How a client connects, and the methods that it knows.
 *
 * @typeParam Own The methods of your own, whose names and options `start` and `ask` then take.
 */
export interface ClientOptions<Own extends Handed = Handed> {
  /**
   * A client of Temporal of your own, which is used as it is: its connection, namespace,
   * interceptors, plugins and data converter. So none of `connection`, `connect`, `namespace`,
   * `codec` and `encryptionKeys` can stand beside it. If the workers encrypt, its data converter
   * needs their codec: `payloadCodecs()` for `DURABLE_RAG_ENCRYPTION_KEYS`.
   *
   * @example
   * const client = new Client({ connection, dataConverter: { payloadCodecs: payloadCodecs() } });
   * const durable = await createClient({ client });
   */
  client?: Client;
  /**
   * A connection of your own. By default one as of the command line: from TEMPORAL_ADDRESS and the
   * like, else to this machine and DURABLE_RAG_TEMPORAL_PORT.
   */
  connection?: Connection;
  /**
   * Methods of your own, which the workers have too. If one is given by its name only, the workers
   * check its input, and `startNamed` starts it.
   */
  methods?: Own;
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

/**
 * Starts questions, runs, studies and schedules, and follows them.
 *
 * @typeParam Own The methods of your own that it was made with.
 */
export interface DurableRagClient<Own extends Handed = []>
  extends ReturnType<typeof questions<Own>>,
    ReturnType<typeof runs<Own>>,
    ReturnType<typeof studies<Own>>,
    ReturnType<typeof schedules<Own>>,
    ReturnType<typeof queue> {
  /** Closes the connection, if it was made here. */
  close(): Promise<void>;
}

/**
 * Connects to Temporal.
 *
 * @throws Failure Connection when no server answers, or the environment cannot be read; BadInput if
 *   options contradict each other, or encryption keys are wrong.
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

/** What a client of Temporal says by itself. */
const OF_THE_CLIENT = ['connection', 'connect', 'namespace', 'codec', 'encryptionKeys'] as const;

function refuseSaidTwice(options: ClientOptions): void {
  const said = OF_THE_CLIENT.filter((name) => options[name] !== undefined);
  if (said.length === 0) return;
  throw new Failure(
    'BadInput',
    `createClient: "client" is used as it is, so ${said.join(' and ')} cannot stand beside it. Make that client with its connection, namespace and data converter (for encryption keys: dataConverter: { payloadCodecs: payloadCodecs(keys) }).`,
  );
}

/** Refuses to send in clear what the workers of this environment encrypt. */
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

/** What is asked of a task queue beside questions, runs and studies. */
function queue(client: Client, taskQueue: string) {
  return {
    /**
     * Makes a demonstration set for GenRead's clustering-based prompts from train questions: starts
     * the job, or joins it.
     *
     * @throws Failure BadInput before anything is started, naming the field that is wrong.
     */
    startClusters: (input: ClusterInput, { workflowId }: { workflowId?: string } = {}) =>
      startClusters(client, taskQueue, input, workflowId),
    /** Returns names and hashes of the data sets that schedules, and runs under way, use. */
    datasetsInUse: () => datasetsInUse(client),
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
     * @param build Default: the newest version with workers that is not the current one; null for
     *   workers that are not versioned.
     * @param percentage The share of new questions, from 0 to 100. The others begin with the current
     *   version; 0 takes the share back. Left out, the version becomes the current one.
     * @returns the version, or null for workers that are not versioned.
     * @throws Failure BadInput if there is no such version, Conflict if it has no workers for a part,
     *   both after ten seconds: the server lists workers somewhat after they begin to poll.
     */
    promoteVersion: (build?: string | null, percentage?: number) =>
      promoteVersion(client, taskQueue, build, percentage),
  };
}
