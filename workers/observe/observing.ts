/** Looks at the activities of a worker, and tells others what came of each. */
import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors, WorkerInterceptors } from '@temporalio/worker';
import { type Ended, type Observation, observationOf } from './observation.js';

/** Is told of each attempt as it ends, in the attempt's own context. Must not throw. */
export type Observer = (observation: Observation) => void;

/** Interceptors that tell an observer. */
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

/** Returns the interceptors of both, those of the first outside. */
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
