/** Reading and changing the limits of the model calls while they are made. */
import { Context } from '@temporalio/activity';
import { modelQueue } from '../../methods/task-queues.js';
import type { Ports } from './ports.js';
import { type CallBounds, providerCall } from './provider-call.js';

/** Null is no limit; for tokens, none beyond what each worker is set up with. */
export interface Rates {
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
}

export interface RateActivities {
  /** Sets what is given, at once and for all runs on the queue; says what then is in force. */
  setRates(changes: Partial<Rates>): Promise<Rates>;
  readRates(): Promise<Rates>;
}

const BOUNDS: CallBounds = { timeoutSeconds: 30, attempts: 6, refusals: 6 };

/** The activities run on the queue of the questions, and are about that of its model calls. */
export function rateActivities({ tokens, queueRates }: Ports): RateActivities {
  const queue = () => modelQueue(Context.current().info.taskQueue);
  const read = async () => ({
    requestsPerMinute: await queueRates.get(queue()),
    tokensPerMinute: await tokens.limit(),
  });
  return {
    setRates: ({ requestsPerMinute, tokensPerMinute }) =>
      providerCall(BOUNDS, async () => {
        if (requestsPerMinute !== undefined) await queueRates.set(queue(), requestsPerMinute);
        if (tokensPerMinute !== undefined) await tokens.setLimit(tokensPerMinute);
        return read();
      }),
    readRates: () => providerCall(BOUNDS, read),
  };
}
