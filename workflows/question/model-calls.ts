/** The calls of model steps, of questions and of jobs: each is asked again until it can be read. Pure. */
import { ApplicationFailure } from '@temporalio/workflow';
import { omitDefaults } from '../../core/call-defaults.js';
import type { AskedTransport } from '../../core/provider-batches.js';
import { modelFor, outputFor, promptsFor } from '../../core/step-models.js';
import { type Tier, tierOf, timeoutAt } from '../../core/tier.js';
import type { SentCall, StepOutput } from '../../steps/call.js';
import type { CallBounds } from '../activities/calls.js';
import type { PreparedInput } from '../activities/question.js';

/** What of an input decides how its model steps are called. */
export type CallInput = Pick<
  PreparedInput<unknown>,
  'cache' | 'extraBody' | 'limits' | 'models' | 'outputs' | 'prompts' | 'seed' | 'tier'
>;

/** Returns what a call may take before its question or its job goes on without it. */
export function callBounds(
  { callTimeoutSeconds, attempts, refusals, outageSeconds }: CallInput['limits'],
  tier: Tier = 'standard',
): CallBounds {
  const timeoutSeconds = timeoutAt(tier, callTimeoutSeconds);
  return omitDefaults({ timeoutSeconds, attempts, refusals, outageSeconds });
}

/** Makes one call; which asking it is counts from 0. */
export type MakeCall<O> = (call: SentCall, attempt: number) => Promise<StepOutput<O>>;

/** Asks a step, and gives what could be read at last, or what stands in for it. */
export type AskUntilRead = <O>(
  step: string,
  call: MakeCall<O>,
  /** Told of each output; `last` is the one whose value counts. */
  called: (output: StepOutput<O>, last: boolean) => void,
) => Promise<O>;

/** What decides how the calls of a question or a job are made. */
export interface CallSettings {
  input: CallInput;
  defaultModel: string;
  /** Null if the steps show no passages of a corpus. */
  corpus: string | null;
  /** Where model calls go by batch. */
  transport?: AskedTransport | undefined;
  /** The run that asks, if one does. */
  run?: string | undefined;
  /** How many other samples may stand in for kept responses that cannot be read. @default 0 */
  resample?: number | undefined;
}

/**
 * An output that cannot be read is asked for again, at most `limits.reasks` times. A fault of the step
 * is not: it fails once the call is counted.
 */
export function modelCalls({
  input,
  defaultModel,
  corpus,
  transport,
  run,
  resample = 0,
}: CallSettings): AskUntilRead {
  const { limits, outputs, prompts: sets, cache, seed, tier: tiers } = input;
  return async (step, call, called) => {
    const tier = tierOf(step, tiers);
    const form = outputFor(step, outputs);
    const prompts = promptsFor(step, sets);
    const bounds = callBounds(limits, tier);
    let thinks = false;
    for (let attempt = 0; ; attempt++) {
      const sent: SentCall = {
        ...modelFor(step, input, defaultModel),
        corpus,
        ...omitDefaults({ prompts, attempt, resample, thinks, cache, seed, tier, form }),
        ...bounds,
        ...(transport && { batch: transport }),
        ...(run !== undefined && { run }),
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
