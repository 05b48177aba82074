/** Starts the two workers of a process: one for questions, one for model calls. */
import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { createModelActivities, createQuestionActivities } from '../activities/index.js';
import type { Ports, ServerPorts } from '../activities/ports.js';
import { modelQueue } from '../methods/task-queues.js';
import { questionWatch } from './question-watch.js';
import { queueRates } from './queue-rates.js';
import { buildIdOf } from './workflow-bundle.js';

export interface WorkersOptions {
  connection: NativeConnection;
  namespace: string;
  taskQueue: string;
  ports: Omit<Ports, keyof ServerPorts>;
  /** Model calls at a time. */
  concurrency: number;
  workflowBundle: NonNullable<WorkerOptions['workflowBundle']>;
}

export interface Workers {
  /** Settles when both have stopped; rejects when one of them failed. */
  readonly stopped: Promise<void>;
  /** Takes no more work, lets what runs finish for a moment, and resolves with `stopped`. */
  stop(): Promise<void>;
}

/** So that a cancelled question and a killed worker are noticed within seconds. */
const HEARTBEAT_THROTTLE = '2s';

/** Starts polling. The model queue is apart, so that a rate limit on it counts model calls only. */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { connection, namespace, taskQueue, concurrency, workflowBundle } = options;
  const ports = {
    ...options.ports,
    queueRates: queueRates(connection, namespace),
    watch: questionWatch(connection, namespace),
  };
  const common = {
    connection,
    namespace,
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
    defaultHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
    stickyQueueScheduleToStartTimeout: '2s',
    shutdownGraceTime: '2s',
    shutdownForceTime: '10s',
  } as const;
  const workers = [
    await Worker.create({
      ...common,
      taskQueue,
      workflowBundle,
      buildId: await buildIdOf(workflowBundle),
      activities: createQuestionActivities(ports),
    }),
    await Worker.create({
      ...common,
      taskQueue: modelQueue(taskQueue),
      activities: createModelActivities(ports),
      maxConcurrentActivityTaskExecutions: concurrency,
    }),
  ];
  const shutdown = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const stopped = Promise.all(workers.map((worker) => worker.run().finally(shutdown))).then(
    () => {},
  );
  // Whoever awaits `stopped` sees the failure; until then it must not end the process.
  stopped.catch(() => {});
  return {
    stopped,
    async stop() {
      shutdown();
      await stopped;
    },
  };
}
