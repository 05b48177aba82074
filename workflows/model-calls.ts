/** The calls of model steps, of questions and of jobs: each is asked again until it can be read. */
import { ApplicationFailure } from '@temporalio/workflow';
import type { PreparedInput } from '../activities/runtime/prepare.js';
import type { AskedTransport } from '../methods/batch-transport.js';
import { omitDefaults } from '../methods/call-defaults.js';
import { tierOf } from '../methods/tier.js';
import type { SentCall, StepOutput } from '../steps/call.js';
import { callBounds } from './call-options.js';

/** What of an input decides how its model steps are called. */
export type CallInput = Pick<
  PreparedInput<unknown>,
  'cache' | 'limits' | 'models' | 'prompts' | 'seed' | 'tier'
>;

/** Makes one call; which asking it is counts from 0. */
export type MakeCall<O> = (call: SentCall, attempt: number) => Promise<StepOutput<O>>;

/** Asks a step, and gives what could be read at last, or what stands in for it. */
export type AskUntilRead = <O>(
  step: string,
  call: MakeCall<O>,
  /** Told of each output; `last` is the one whose value counts. */
  called: (output: StepOutput<O>, last: boolean) => void,
) => Promise<O>;

/**
 * An output that cannot be read is asked for again, at most `limits.reasks` times. A fault of the step
 * is not: it fails once the call is counted.
 *
 * @param corpus null where the steps show no passages of a corpus.
 * @param transport Where the calls go by batch.
 */
export function modelCalls(
  { limits, models, prompts, cache, seed, tier: tiers }: CallInput,
  defaultModel: string,
  corpus: string | null,
  transport?: AskedTransport | undefined,
): AskUntilRead {
  return async (step, call, called) => {
    const tier = tierOf(step, tiers);
    const bounds = callBounds(limits, tier);
    let thinks = false;
    for (let attempt = 0; ; attempt++) {
      const sent: SentCall = {
        model: models[step] ?? models.default ?? defaultModel,
        corpus,
        ...omitDefaults({ prompts, attempt, thinks, cache, seed, tier }),
        ...bounds,
        ...(transport && { batch: transport }),
      };
      const output = await call(sent, attempt);
      const last = output.unread === undefined || attempt >= limits.reasks;
      called(output, last);
      if (output.fault !== undefined) {
        throw ApplicationFailure.nonRetryable(output.fault, 'Unexpected');
      }
      thinks ||= output.thinking !== undefined;
      if (last) return output.value;
    }
  };
}
