import { Context } from '@temporalio/activity';
import type { CallBounds } from '../../workflows/activities/calls.js';
import type { RateActivities } from '../../workflows/activities/rates.js';
import { modelQueue } from '../../workflows/queue/task-queues.js';
import { LONG_BOUNDS, pollUntilFound } from './free-calls.js';
import type { Ports } from './ports.js';
import { providerCall } from './provider-call.js';

const BOUNDS: CallBounds = { timeoutSeconds: 30, attempts: 6, refusals: 6 };

/** Pause between two checks whether a run has ended, in milliseconds; its limits last that long. */
const POLL_MS = 5_000;

/**
 * Returns the activities that set and read the rate limits of model calls, in requests and tokens
 * per minute.
 */
export function rateActivities({ tokens, queueRates, queueLimits, watch }: Ports): RateActivities {
  const queue = () => modelQueue(Context.current().info.taskQueue);
  return {
    setRates: (rates) =>
      providerCall(BOUNDS, () => {
        const { workflowExecution, taskQueue } = Context.current().info;
        return queueLimits.ask(taskQueue, { owner: workflowExecution?.workflowId ?? null, rates });
      }),
    applyRates: ({ requestsPerMinute, tokensPerMinute }) =>
      providerCall(BOUNDS, async () => {
        if (requestsPerMinute !== undefined) await queueRates.set(queue(), requestsPerMinute);
        if (tokensPerMinute !== undefined) await tokens.setLimit(tokensPerMinute);
      }),
    readRates: () =>
      providerCall(BOUNDS, async () => ({
        requestsPerMinute: await queueRates.get(queue()),
        tokensPerMinute: await tokens.limit(),
      })),
    awaitRunsEnded: (workflowIds) =>
      providerCall(LONG_BOUNDS, ({ signal }) =>
        pollUntilFound(POLL_MS, signal, async () => {
          const running = await Promise.all(
            workflowIds.map((workflowId) => watch.isRunning({ workflowId })),
          );
          return workflowIds.filter((_, i) => !running[i]);
        }),
      ),
  };
}
