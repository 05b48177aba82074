/** The calls of model steps, of questions and of jobs: each is asked again until it can be read. Pure. */
import { ApplicationFailure } from '@temporalio/workflow';
import { omitDefaults } from '../../core/call-defaults.js';
import type { AskedTransport } from '../../core/provider-batches.js';
import { modelFor, outputFor, promptsFor } from '../../core/step-models.js';
import { type Tier, tierOf, timeoutAt } from '../../core/tier.js';
import type { SentCall, StepOutput } from '../../steps/call.js';
import type { CallBounds } from '../activities/calls.js';
import type { PreparedInput } from '../activities/question.js';
import { causeOf } from '../failures.js';

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

/** Is told of what comes of the calls of a step. */
export interface Told<O> {
  /** Told of each output; `last` is the one whose value counts. */
  called(output: StepOutput<O>, last: boolean): void;
  /** Told that a call with twice the tokens ended in `error`, so that the output before it counts. */
  late(error: unknown, before: StepOutput<O>): void;
}

/** Asks a step, and gives what could be read at last, or what stands in for it. */
export type AskUntilRead = <O>(step: string, call: MakeCall<O>, told: Told<O>) => Promise<O>;

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
 * An output that cannot be read is asked for again, at most `limits.reasks` times: after one that was
 * cut with twice the tokens, unless they cannot be written in time. One that is cut once more, or
 * does not come in time, is not asked for a third time. A fault of the step is not asked again: it
 * fails once the call is counted.
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
  return async <O>(step: string, call: MakeCall<O>, told: Told<O>) => {
    const tier = tierOf(step, tiers);
    const form = outputFor(step, outputs);
    const prompts = promptsFor(step, sets);
    const bounds = callBounds(limits, tier);
    let [thinks, doubled] = [false, false];
    let mostTokens: number | undefined;
    let before: StepOutput<O> | undefined;
    for (let attempt = 0; ; attempt++) {
      const sent: SentCall = {
        ...modelFor(step, input, defaultModel),
        corpus,
        ...omitDefaults({ prompts, attempt, resample, thinks, doubled, cache, seed, tier, form }),
        ...bounds,
        ...(mostTokens !== undefined && { mostTokens }),
        ...(transport && { batch: transport }),
        ...(run !== undefined && { run }),
      };
      let output: StepOutput<O>;
      try {
        output = await call(sent, attempt);
      } catch (error) {
        if (!before || !doubled || causeOf(error).type !== 'Timeout') throw error;
        told.late(error, before);
        return before.value;
      }
      const isHopeless = output.cut === true && (doubled || output.tooSlow === true);
      const last = output.unread === undefined || isHopeless || attempt >= limits.reasks;
      told.called(output, last);
      if (output.fault !== undefined) {
        throw ApplicationFailure.nonRetryable(output.fault, 'Unexpected');
      }
      thinks ||= output.thinking !== undefined;
      doubled ||= output.cut === true;
      mostTokens = output.mostTokens ?? mostTokens;
      before = output;
      if (last) return output.value;
    }
  };
}
