/** Observes the activities of a worker and reports each attempt. */
import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors, WorkerInterceptors } from '@temporalio/worker';
import { type AttemptResult, type Observation, observationOf } from './observation.js';

/**
 * A function that is called with the observation of each attempt of an activity at its end, in the
 * activity's context. Must not throw.
 */
export type Observer = (observation: Observation) => void;

/** Returns worker interceptors that report each attempt of an activity to an observer. */
export function observerInterceptors(observe: Observer): WorkerInterceptors {
  const observed = ({ info }: Context): ActivityInterceptors => ({
    inbound: {
      async execute(input, next) {
        const begun = performance.now();
        const tell = (ended: AttemptResult) => {
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

/**
 * Returns the activity and workflow interceptors of both arguments; those of the first one are
 * outermost. Other kinds are the second's, or else the first's.
 */
export function joinInterceptors(
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
