/** durable-rag as a plugin of a Temporal worker. */
import { SimplePlugin } from '@temporalio/plugin';
import {
  NativeConnection,
  Worker,
  type WorkerOptions,
  type WorkerPlugin,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import { createModelActivities, createQuestionActivities } from '../activities/index.js';
import type { Ports, ServerPorts } from '../activities/runtime/ports.js';
import { modelQueue, TASK_QUEUE } from '../methods/task-queues.js';
import { type EagerCalls, eagerCalls } from './eager-calls.js';
import { type MarkedRates, markedRates } from './marked-rates.js';
import { questionWatch } from './question-watch.js';
import { queueLimits } from './queue-limits.js';
import { queueRates } from './queue-rates.js';
import { waitingActivities } from './waiting-activities.js';
import { buildIdOf, sdkVersion } from './workflow-bundle.js';

/** What a plugin is made of once the parts are open. */
export interface PluginParts {
  ports: Omit<Ports, keyof ServerPorts>;
  /** Model calls at a time. */
  concurrency: number;
  /** How long a stop waits for model calls under way. @default 2 */
  graceSeconds?: number;
  close(): Promise<void>;
}

export interface PluginSettings extends Pick<WorkerOptions, 'dataConverter' | 'interceptors'> {
  /** Opens the parts for a worker; called when the worker is made. */
  open(worker: {
    connection: NativeConnection;
    taskQueue: string;
    namespace: string;
  }): Promise<PluginParts>;
  /** The bundle for a worker that brings no workflows by itself. */
  bundle(): Promise<WorkflowBundleOption>;
}

/** So that a cancelled question and a killed worker are noticed within seconds. */
const NOTICED_SOON = {
  maxHeartbeatThrottleInterval: '2s',
  defaultHeartbeatThrottleInterval: '2s',
  stickyQueueScheduleToStartTimeout: '2s',
} as const;

/** How long a stop waits for what is under way: all but calls, which begin again elsewhere. */
const SOON_SECONDS = 2;

/** After the grace everything is cancelled, and has so long to end by itself. */
const CANCELLED_SECONDS = 10;

/** A worker that is stopped takes nothing new, and lets what runs go on for so long. */
function stopsAfter(graceSeconds: number) {
  return {
    shutdownGraceTime: graceSeconds * 1000,
    shutdownForceTime: (graceSeconds + CANCELLED_SECONDS) * 1000,
  };
}

/** The worker of the workflows stops soon, but for the calls of its questions. */
function lasting(graceSeconds: number) {
  return { shutdownForceTime: stopsAfter(graceSeconds).shutdownForceTime };
}

/**
 * Adds our workflows and activities to a worker that somebody makes. Beside it runs a second worker,
 * for the queue of the model calls: a rate limit on it counts nothing else.
 */
export class DurableRagPlugin implements WorkerPlugin {
  readonly name = 'durable-rag';
  private readonly settings: PluginSettings;
  /** Of the one worker that this plugin is for. */
  private opened: { parts: PluginParts; modelWorker: WorkerOptions } | undefined;

  constructor(settings: PluginSettings) {
    this.settings = settings;
  }

  async configureWorker(options: WorkerOptions): Promise<WorkerOptions> {
    // Where a connection has the plugin, our own second worker comes by here as well.
    if (options.taskQueue === this.opened?.modelWorker.taskQueue) return options;
    if (this.opened) throw new Error('A durable-rag plugin is for one worker: make another one.');
    const { dataConverter, interceptors, open, bundle } = this.settings;
    const connection = options.connection ?? (await NativeConnection.connect());
    if (!(connection instanceof NativeConnection)) throw new Error(otherSdk());
    const { namespace = 'default', taskQueue = TASK_QUEUE } = options;
    const common = new SimplePlugin({
      name: this.name,
      ...(dataConverter && { dataConverter }),
      ...(interceptors && { workerInterceptors: interceptors }),
    }).configureWorker({
      ...NOTICED_SOON,
      ...stopsAfter(SOON_SECONDS),
      ...options,
      connection,
      namespace,
    });
    const { workflowsPath, workflowBundle, activities, plugins: _, ...shared } = common;
    const parts = await open({ connection, taskQueue, namespace });
    const converter = common.dataConverter && { dataConverter: common.dataConverter };
    const grace = options.shutdownGraceTime === undefined && (parts.graceSeconds ?? SOON_SECONDS);
    const calls = eagerCalls({
      concurrency: parts.concurrency,
      graceMs: grace === false ? 0 : Math.max(grace - SOON_SECONDS, 0) * 1000,
      worker: options,
    });
    const { rateMarks } = parts.ports;
    const rates = queueRates(connection, namespace);
    const marked = rateMarks && markedRates(rates, rateMarks);
    const ports: Ports = {
      ...parts.ports,
      queueRates: marked ?? rates,
      mayBeEager: marked && mayBeEager(calls, marked, modelQueue(taskQueue)),
      queueLimits: queueLimits(connection, namespace, converter),
      watch: questionWatch(connection, namespace, converter),
      waiting: waitingActivities(connection, namespace, taskQueue, converter),
    };
    const modelActivities = createModelActivities(ports);
    this.opened = {
      parts,
      modelWorker: {
        ...shared,
        // Where the worker is told how it stops, that goes for both.
        ...(grace !== false && stopsAfter(grace)),
        taskQueue: modelQueue(taskQueue),
        activities: calls.limited(modelActivities),
        maxConcurrentActivityTaskExecutions: parts.concurrency,
      },
    };
    const bundled = workflowsPath || workflowBundle ? undefined : await bundle();
    return {
      ...common,
      ...calls.options,
      ...(calls.isPossible && grace !== false && lasting(grace)),
      taskQueue,
      ...(bundled && {
        workflowBundle: bundled,
        buildId: options.buildId ?? (await buildIdOf(bundled)),
      }),
      activities: {
        ...createQuestionActivities(ports),
        ...(calls.isPossible && calls.eager(modelActivities)),
        ...activities,
      },
    };
  }

  /** Both workers run; when one of them ends the other one does. */
  async runWorker(worker: Worker, next: (worker: Worker) => Promise<void>): Promise<void> {
    if (!this.opened) throw new Error('The durable-rag plugin has not configured this worker.');
    const { parts, modelWorker } = this.opened;
    if (worker.options.taskQueue === modelWorker.taskQueue) return next(worker);
    const both = [worker];
    const shutdown = () => {
      for (const one of both) if (one.getState() === 'RUNNING') one.shutdown();
    };
    const questions = next(worker).finally(shutdown);
    const calls = runBeside(worker, modelWorker, both).finally(shutdown);
    const ended = await Promise.allSettled([questions, calls]);
    await parts.close();
    for (const end of ended) if (end.status === 'rejected') throw end.reason;
  }
}

/** Undefined where they never may: there is nothing to look up then. */
function mayBeEager({ isPossible }: EagerCalls, rates: MarkedRates, queue: string) {
  return isPossible ? async () => !(await rates.isLimited(queue)) : undefined;
}

/** Two copies of the SDK share no connection, and would run workflows that another one bundled. */
function otherSdk(): string {
  return (
    `This worker is of another copy of @temporalio/worker than the ${sdkVersion()} that durable-rag runs on. ` +
    `Depend on all @temporalio packages in version ${sdkVersion()}; "npm ls @temporalio/worker" shows who brings another.`
  );
}

/** Runs a second worker for as long as the first one runs. */
async function runBeside(first: Worker, options: WorkerOptions, both: Worker[]): Promise<void> {
  const second = await Worker.create(options);
  both.push(second);
  const run = second.run();
  // The first one may have been stopped before the second was made.
  if (first.getState() !== 'RUNNING') second.shutdown();
  await run;
}
