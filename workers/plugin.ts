import { Client } from '@temporalio/client';
import { SimplePlugin } from '@temporalio/plugin';
import {
  type Logger,
  NativeConnection,
  type ReplayWorkerOptions,
  Worker,
  type WorkerOptions,
  type WorkerPlugin,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import {
  createModelActivities,
  createQuestionActivities,
  createSearchActivities,
  refuseTakenNames,
} from '../activities/index.js';
import type { OfflinePorts, Ports } from '../activities/runtime/ports.js';
import { markedRates } from '../activities/runtime/rates.js';
import { requestLimits } from '../client/queue-limits.js';
import { queueRates } from '../client/queue-rates.js';
import { Failure } from '../core/failure.js';
import { ROLES, type Role } from '../core/roles.js';
import { modelQueue, queueOf, searchQueue, TASK_QUEUE } from '../workflows/queue/task-queues.js';
import { workflowQueries } from './question-watch.js';
import { eagerCalls, slotOptions } from './slots.js';
import { waitingActivities } from './waiting-activities.js';
import type { Concurrency } from './worker-options.js';
import { currentVersion, versionAdvice, versionOptions } from './worker-version.js';
import { OUR_WORKFLOWS, sdkVersion } from './workflow-bundle.js';

/** The opened parts of a worker: the ports of its activities, its limits and roles, and `close`. */
export interface PluginParts {
  ports: OfflinePorts;
  /** Limit of concurrent work. */
  concurrency: Concurrency;
  /** The worker's roles. @default all */
  roles?: readonly Role[];
  /** Whether the worker uses Temporal's worker versioning. @default false */
  versioned?: boolean | undefined;
  /** Time for which a stop waits for running model calls, in seconds. @default 2 */
  graceSeconds?: number;
  close(): Promise<void>;
}

/** Settings of the plugin, and functions that open its parts. */
interface PluginSettings extends Pick<WorkerOptions, 'dataConverter' | 'interceptors'> {
  /** Returns the opened parts of a worker; called when the worker is created. */
  open(worker: {
    connection: NativeConnection;
    taskQueue: string;
    namespace: string;
  }): Promise<PluginParts>;
  /** Returns the workflow bundle for a worker that brings no workflows of its own. */
  bundle(): Promise<WorkflowBundleOption>;
  /** Called with warnings that a person should know. */
  warn?(message: string): void;
}

/**
 * Worker options with short intervals, so that cancelled questions and killed workers are noticed
 * within seconds.
 */
const NOTICED_SOON = {
  maxHeartbeatThrottleInterval: '2s',
  defaultHeartbeatThrottleInterval: '2s',
  stickyQueueScheduleToStartTimeout: '2s',
} as const;

/** Time for which a stopping worker waits for work other than model calls, in seconds. */
const SOON_SECONDS = 2;

/** Interval at which the workers of a process check whether the first one is stopping. */
const NOTICED_MS = 100;

/** Longest time that cancelled work may take to end after the grace period, in seconds. */
const CANCELLED_SECONDS = 10;

/**
 * Returns worker options by which a stop waits `graceSeconds` for running work and then cancels it.
 */
function stopsAfter(graceSeconds: number) {
  return {
    shutdownGraceTime: graceSeconds * 1000,
    shutdownForceTime: (graceSeconds + CANCELLED_SECONDS) * 1000,
  };
}

/**
 * Returns the options of a worker with our modules preloaded if the SDK bundles its workflows, so
 * that they are loaded once and not for every question. The worker's own modules are not preloaded,
 * since they may have state for each workflow.
 */
function withOursPreloaded(options: WorkerOptions): WorkerOptions {
  const { workflowsPath, bundlerOptions } = options;
  if (workflowsPath === undefined) return options;
  const preloadModules = [...(bundlerOptions?.preloadModules ?? []), OUR_WORKFLOWS];
  return { ...options, bundlerOptions: { ...bundlerOptions, preloadModules } };
}

/**
 * Worker plugin that adds our workflows and activities to a worker. It runs further workers beside
 * it, one for each other role's queue, so that the rate limit of the model calls' queue counts
 * nothing else.
 */
export class DurableRagPlugin implements WorkerPlugin {
  readonly name = 'durable-rag';
  private readonly settings: PluginSettings;
  /** Parts of the one worker that this plugin is for. */
  private opened: { parts: PluginParts; beside: WorkerOptions[] } | undefined;
  private graceEnds: NodeJS.Timeout | undefined;

  constructor(settings: PluginSettings) {
    this.settings = settings;
  }

  async configureWorker(options: WorkerOptions): Promise<WorkerOptions> {
    // If the connection has the plugin, it is also called for our own further workers.
    if (this.isBeside(options)) return options;
    if (this.opened)
      throw new Error('A durable-rag plugin is for one worker: create another plugin.');
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
    const { activities, plugins, ...rest } = common;
    const parts = await open({ connection, taskQueue, namespace });
    try {
      const { concurrency, roles: asked = ROLES, graceSeconds = SOON_SECONDS } = parts;
      const roles = ROLES.filter((role) => asked.includes(role));
      const slots = slotOptions(concurrency, roles);
      const grace = options.shutdownGraceTime === undefined && graceSeconds;
      const most = typeof concurrency === 'number' ? concurrency : Number.POSITIVE_INFINITY;
      const graceMs = grace === false ? 0 : Math.max(grace - SOON_SECONDS, 0) * 1000;
      const calls = eagerCalls(most, graceMs, { ...slots('questions'), ...options });
      const isEager = calls.isPossible && roles.includes('models');
      const converter = common.dataConverter && { dataConverter: common.dataConverter };
      const client = new Client({ connection, namespace, ...converter });
      const { rateMarks } = parts.ports;
      const rates = queueRates(client);
      const marked = rateMarks && markedRates(rates, rateMarks);
      const ports: Ports = {
        ...parts.ports,
        ...(!roles.includes('retrieval') && { searchQueue: searchQueue(taskQueue) }),
        queueRates: marked ?? rates,
        ...(marked &&
          isEager && { mayBeEager: async () => !(await marked.isLimited(modelQueue(taskQueue))) }),
        queueLimits: { ask: (queue, asking) => requestLimits(client, queue, asking) },
        watch: workflowQueries(client),
        waiting: waitingActivities(client, taskQueue, parts.ports.llm.provider),
      };
      const bundled = rest.workflowsPath || rest.workflowBundle ? undefined : await bundle();
      const version = await versionOptions(options, bundled, taskQueue, parts.versioned);
      if (roles.includes('questions')) {
        const current = await currentVersion(client, taskQueue);
        const advice = versionAdvice(taskQueue, version.workerDeploymentOptions?.version, current);
        if (advice !== undefined) this.settings.warn?.(advice);
      }
      const modelActivities = createModelActivities(ports);
      const { workflowsPath: _, workflowBundle: __, bundlerOptions: ___, ...shared } = rest;
      const serving: Record<Role, WorkerOptions> = {
        questions: {
          ...(bundled ? { ...rest, workflowBundle: bundled } : withOursPreloaded(rest)),
          ...(isEager && calls.options),
          // It stops soon, except for the calls of its questions.
          ...(isEager &&
            grace !== false && { shutdownForceTime: stopsAfter(grace).shutdownForceTime }),
          // Older questions continue here even if new ones have calls and searches elsewhere.
          activities: { ...createQuestionActivities(ports), ...calls.eager(modelActivities) },
        },
        models: {
          ...shared,
          // A worker's own setting of its stop applies to all of them.
          ...(grace !== false && stopsAfter(grace)),
          activities: calls.limited(modelActivities),
        },
        retrieval: { ...shared, activities: createSearchActivities(ports) },
      };
      const [first, ...beside] = roles.map((role) => ({
        ...serving[role],
        ...slots(role),
        ...version,
        taskQueue: queueOf(role, taskQueue),
      }));
      if (!first)
        throw new Failure('BadInput', 'A worker is for one part at least (only, --only).');
      refuseTakenNames('activities', activities ?? {}, first.activities ?? {});
      this.opened = { parts, beside };
      const all = { ...first.activities, ...activities };
      return { ...first, activities: all, ...(plugins && { plugins }) };
    } catch (error) {
      await parts.close();
      throw error;
    }
  }

  /** Adds the data converter to a replay worker, and our workflows if it has none. */
  async configureReplayWorker(options: ReplayWorkerOptions): Promise<ReplayWorkerOptions> {
    const { dataConverter, bundle } = this.settings;
    const { workflowsPath, workflowBundle } = options;
    return {
      ...(dataConverter && { dataConverter }),
      ...(!workflowsPath && !workflowBundle && { workflowBundle: await bundle() }),
      ...options,
    };
  }

  /** Runs all workers; when one stops or ends, the others are stopped. */
  async runWorker(worker: Worker, next: (worker: Worker) => Promise<void>): Promise<void> {
    if (!this.opened) throw new Error('The durable-rag plugin has not configured this worker.');
    const { parts, beside } = this.opened;
    expectNoWorkflows(worker);
    if (this.isBeside(worker.options)) return next(worker);
    const all = [worker];
    const shutdown = () => {
      for (const one of all) if (one.getState() === 'RUNNING') one.shutdown();
    };
    const runs = [next(worker), ...beside.map((options) => runBeside(worker, options, all))];
    const noticing = setInterval(() => {
      // The first one ends after the calls of its questions; until then the others accepted new
      // ones.
      if (!isStopping(worker)) return;
      clearInterval(noticing);
      shutdown();
      this.watchGrace(all, parts);
    }, NOTICED_MS);
    const ended = await Promise.allSettled(runs.map((run) => run.finally(shutdown)));
    clearInterval(noticing);
    clearTimeout(this.graceEnds);
    await parts.close();
    for (const end of ended) if (end.status === 'rejected') throw end.reason;
  }

  /** Warns if the grace period ends while calls are still running. */
  private watchGrace(workers: readonly Worker[], { graceSeconds = SOON_SECONDS }: PluginParts) {
    if (graceSeconds <= SOON_SECONDS) return;
    this.graceEnds = setTimeout(
      () => {
        const calls = workers.reduce((sum, one) => sum + one.getStatus().numInFlightActivities, 0);
        if (calls > 0) this.settings.warn?.(cutOff(calls, graceSeconds));
      },
      graceSeconds * 1000 - 2 * NOTICED_MS,
    );
    this.graceEnds.unref();
  }

  private isBeside({ taskQueue }: Pick<WorkerOptions, 'taskQueue'>): boolean {
    return this.opened?.beside.some((options) => options.taskQueue === taskQueue) ?? false;
  }
}

/**
 * Returns the error of two copies of the SDK, which share no connection and cannot run each other's
 * bundles.
 */
function otherSdk(): string {
  return (
    `This worker is of another copy of @temporalio/worker than the ${sdkVersion()} that durable-rag needs. ` +
    `Depend on all @temporalio packages in version ${sdkVersion()}; "npm ls @temporalio/worker" shows who brings another.`
  );
}

function isStopping(worker: Worker): boolean {
  const state = worker.getState();
  return state !== 'INITIALIZED' && state !== 'RUNNING';
}

/** Returns the warning that calls are cut off at the end of the grace period. */
function cutOff(calls: number, graceSeconds: number): string {
  const which = calls === 1 ? '1 call is' : `${calls} calls are`;
  return `${which} cut off because the stop has waited ${graceSeconds} s (DURABLE_RAG_GRACE): another worker repeats them, and may pay again for what the provider has begun.`;
}

/**
 * Suppresses the SDK's warning that a worker has no workflows, which is intended for one that serves
 * only calls or searches. The SDK has no option for this, so the worker's logger is changed.
 */
function expectNoWorkflows(worker: Worker): void {
  const { logger } = worker as unknown as { logger: Logger };
  const warn = logger.warn.bind(logger);
  logger.warn = (message, meta) => {
    if (!message.startsWith('No workflows registered')) warn(message, meta);
  };
}

/** Creates a further worker, adds it to `all`, and runs it until it is stopped. */
async function runBeside(first: Worker, options: WorkerOptions, all: Worker[]): Promise<void> {
  const second = await Worker.create(options);
  expectNoWorkflows(second);
  all.push(second);
  const run = second.run();
  // The first one may have been stopped before this one was made.
  if (first.getState() !== 'RUNNING') second.shutdown();
  await run;
}
