/** A worker with scripted parts on the real Temporal server of the test run. */
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { inject } from 'vitest';
import type { Ports } from '../../activities/runtime/ports.js';
import { createClient } from '../../client/create-client.js';
import { ROLES } from '../../core/roles.js';
import type { LanguageModel } from '../../llm/language-model.js';
import { DurableRagPlugin, type PluginParts } from '../../workers/plugin.js';
import { compressionFor, runningWorker } from '../../workers/run-worker.js';
import { afterFile } from './folder.js';
import { testPorts } from './ports.js';
import { afterTest } from './side-by-side.js';
import './quiet-runtime.js';

export type Harness = Awaited<ReturnType<typeof start>>;

/** The workers that the tests of this process share, and the parts of the test that has them now. */
let shared: Harness | undefined;

/**
 * Returns the shared workers, which have these parts until the next call: to load the workflows
 * takes a second. For tests whose work has ended when the next one begins. Files share the workers
 * as well, unless one leaves work behind.
 */
export async function sharedHarness(
  llm: LanguageModel,
  changes: Partial<Ports> = {},
): Promise<Harness> {
  const usual = testPorts(llm);
  // A part that the others do without, or that is no object, cannot be exchanged.
  const isFixed = Object.entries(changes).some(
    ([name, part]) => typeof part !== 'object' || !(name in usual),
  );
  if (isFixed) return startHarness(llm, changes);
  shared ??= await start(llm, handedOn(usual));
  afterFile(stopIfBusy);
  shared.ports = testPorts(llm, changes);
  return { ...shared, id: `test-${randomUUID()}` };
}

/** Stops the shared workers if the test file has left work for them. */
async function stopIfBusy(): Promise<void> {
  if (!shared) return;
  const { workflow } = new Client({ connection: shared.connection });
  const query = `TaskQueue = '${shared.taskQueue}' AND ExecutionStatus = 'Running'`;
  const { count } = await workflow.count(query);
  if (count === 0) return;
  const { close } = shared;
  shared = undefined;
  await close();
}

/** Parts that do what those of the test do that has the workers at the time. */
function handedOn(first: PluginParts['ports']): PluginParts['ports'] {
  const parts = Object.entries(first).map(([name, part]) => {
    if (typeof part !== 'object') return [name, part];
    const get = (_: object, property: string | symbol) => {
      const now = Object(shared?.ports[name as keyof typeof first]);
      const value = now[property];
      return typeof value === 'function' ? value.bind(now) : value;
    };
    return [name, new Proxy(part, { get })];
  });
  return Object.fromEntries(parts);
}

/** What sets workers apart from the usual ones of a test. */
export interface OwnWorkers extends Pick<PluginParts, 'roles' | 'versioned' | 'graceSeconds'> {
  warn?: (message: string) => void;
  taskQueue?: string;
  /** The workflows, bundled. */
  code?: string;
  concurrency?: number;
  /** Of the worker that they are made from. */
  worker?: Partial<WorkerOptions>;
}

/** Starts workers for a test, on a task queue of their own unless they take over that of others. */
export async function startHarness(...given: Parameters<typeof start>): Promise<Harness> {
  const harness = await start(...given);
  afterTest(() => harness.close());
  return harness;
}

async function start(
  llm: LanguageModel,
  changes: Partial<Ports> = {},
  {
    taskQueue = `test-${randomUUID()}`,
    code = inject('workflowBundle'),
    concurrency = 50,
    worker: options = {},
    warn,
    ...more
  }: OwnWorkers = {},
) {
  const address = inject('temporalAddress');
  const ports = testPorts(llm, changes);
  const [connection, native] = await Promise.all([
    Connection.connect({ address }),
    NativeConnection.connect({ address, ...compressionFor(address) }),
  ]);
  const worker = await Worker.create({
    ...options,
    connection: native,
    taskQueue,
    plugins: [
      new DurableRagPlugin({
        open: async () => ({ ports, concurrency, close: async () => {}, ...more }),
        bundle: async () => ({ code }),
        ...(warn && { warn }),
      }),
    ],
  });
  const workers = runningWorker(worker, { taskQueue, roles: ROLES }, () => native.close());
  const client = await createClient({ connection, taskQueue });
  return {
    client,
    connection,
    taskQueue,
    /** Of its own even where the task queue is shared: what a test names its workflow by. */
    id: taskQueue,
    /** The parts that its workers work with. */
    ports,
    workers,
    async close() {
      await workers.stop();
      await connection.close();
    },
  };
}
