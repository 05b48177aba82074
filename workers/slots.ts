import { ResourceBasedController, type WorkerOptions } from '@temporalio/worker';
import { Failure } from '../core/failure.js';
import type { Role } from '../core/roles.js';
import type { Concurrency } from './options.js';

/** Shares of memory and processor that `auto` fills; the rest is for other processes. */
const AUTO = { memory: 0.8, cpu: 0.8 };

/** Roles to whose calls a number applies: the first one that the worker has. */
const COUNTED: readonly Role[] = ['models', 'retrieval', 'questions'];

type Slots = Pick<WorkerOptions, 'tuner' | 'maxConcurrentActivityTaskExecutions'>;

/**
 * Returns a function that returns, for a role, the worker options that limit how many tasks run at
 * a time.
 *
 * A number limits the activities of one role: the first of models, retrieval and questions that the
 * process has. Shares of memory and processor are filled by all workers of the process together.
 *
 * @throws Failure BadInput for a share that is not above 0 and up to 1.
 */
export function slotsOf(concurrency: Concurrency, roles: readonly Role[]): (role: Role) => Slots {
  if (typeof concurrency === 'number') {
    const counted = COUNTED.find((role) => roles.includes(role));
    return (role) => (role === counted ? { maxConcurrentActivityTaskExecutions: concurrency } : {});
  }
  const { memory, cpu } = concurrency === 'auto' ? AUTO : concurrency;
  if (![memory, cpu].every((share) => share > 0 && share <= 1)) {
    throw new Failure(
      'BadInput',
      `limits.concurrency has memory ${memory} and cpu ${cpu}; both are shares above 0 and up to 1.`,
    );
  }
  const controller = ResourceBasedController.create({
    targetMemoryUsage: memory,
    targetCpuUsage: cpu,
  });
  return () => ({ tuner: { controller } });
}
