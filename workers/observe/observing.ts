/** Observes the activities of a worker and reports each attempt. */
import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors, WorkerInterceptors } from '@temporalio/worker';
import { type Ended, type Observation, observationOf } from './observation.js';

/** Called at the end of each attempt, in its context. Must not throw. */
export type Observer = (observation: Observation) => void;

/** Returns interceptors that report to an observer. */
export function observing(observe: Observer): WorkerInterceptors {
  const observed = ({ info }: Context): ActivityInterceptors => ({
    inbound: {
      async execute(input, next) {
        const begun = performance.now();
        const tell = (ended: Ended) => {
          const seconds = (performance.now() - begun) / 1000;
          observe(observationOf(info, input.args, ended, seconds));
        };
        try {
          const output = await next(input);
          tell({ output });
          return output;
        } catch (error) {
          tell({ error });
          throw error;
        }
      },
    },
  });
  return { activity: [observed] };
}

/** Returns the interceptors of both; the first ones are outermost. */
export function joined(
  first: WorkerInterceptors,
  second: WorkerInterceptors = {},
): WorkerInterceptors {
  const activity = [...(first.activity ?? []), ...(second.activity ?? [])];
  const workflowModules = [...(first.workflowModules ?? []), ...(second.workflowModules ?? [])];
  return {
    ...first,
    ...second,
    activity,
    ...(workflowModules.length > 0 && { workflowModules }),
  };
}
