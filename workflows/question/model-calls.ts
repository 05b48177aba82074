/** Calls of model steps, in questions and jobs; an unreadable output is asked for again. Pure. */
import { ApplicationFailure } from '@temporalio/workflow';
import { omitDefaults } from '../../core/call-defaults.js';
import type { AskedTransport } from '../../core/provider-batches.js';
import { modelFor, outputFor, promptsFor } from '../../core/step-models.js';
import type { TenantShare } from '../../core/tenants.js';
import { type Tier, tierOf, timeoutAt } from '../../core/tier.js';
import type { SentCall, StepOutput } from '../../steps/call.js';
import type { CallBounds } from '../activities/calls.js';
import type { PreparedInput } from '../activities/question.js';
import { causeOf } from '../failures.js';

/** The part of an input that decides how its model steps are called. */
export type CallInput = Pick<
  PreparedInput<unknown>,
  'cache' | 'extraBody' | 'limits' | 'models' | 'outputs' | 'prompts' | 'seed' | 'tier'
>;

/** Returns the bounds of a call, after which its question or job continues without it. */
export function callBounds(
  { callTimeoutSeconds, attempts, refusals, outageSeconds }: CallInput['limits'],
  { tier = 'standard', tenant }: { tier?: Tier; tenant?: TenantShare | undefined } = {},
): CallBounds {
  const timeoutSeconds = timeoutAt(tier, callTimeoutSeconds);
  const bounds = omitDefaults({ timeoutSeconds, attempts, refusals, outageSeconds });
  return { ...bounds, ...(tenant && { tenant: tenant.name }) };
}

/** Makes one call. @param attempt Number of the asking, from 0. */
export type MakeCall<O> = (call: SentCall, attempt: number) => Promise<StepOutput<O>>;

/** Callbacks for the outputs of a step. */
export interface OutputEvents<O> {
  /** Called with each output; `last` is set for the one whose value counts. */
  called(output: StepOutput<O>, last: boolean): void;
  /**
   * Called if a call with twice the tokens ended in `error`, so that the output before it counts.
   */
  late(error: unknown, before: StepOutput<O>): void;
}

/** Asks a step; returns the last readable value, or the step's fallback. */
export type AskUntilRead = <O>(
  step: string,
  call: MakeCall<O>,
  events: OutputEvents<O>,
) => Promise<O>;

/** Decides how the calls of a question or job are made. */
export interface CallSettings {
  input: CallInput;
  defaultModel: string;
  /** The corpus whose passages steps show; null if there is none. */
  corpus: string | null;
  /** How model calls go by batch; undefined if they do not. */
  transport?: AskedTransport | undefined;
  /** The run that asks; undefined outside a run. */
  run?: string | undefined;
  /** The tenant on whose behalf the question is asked; undefined if there is none. */
  tenant?: TenantShare | undefined;
  /** Most further samples that may replace unreadable stored responses. @default 0 */
  resample?: number | undefined;
}

/**
 * Returns a function that asks a step. An unreadable output is asked for again, at most
 * `limits.reasks` times. After an output that was cut, it is asked with twice the tokens, unless
 * they cannot be written in time. An output that is cut again, or comes too late, is not asked for
 * a third time. A fault of the step fails the call once it is counted.
 */
export function modelCalls({
  input,
  defaultModel,
  corpus,
  transport,
  run,
  tenant,
  resample = 0,
}: CallSettings): AskUntilRead {
  const { limits, outputs, prompts: sets, cache, seed, tier: tiers } = input;
  return async <O>(step: string, call: MakeCall<O>, events: OutputEvents<O>) => {
    const tier = tierOf(step, tiers);
    const form = outputFor(step, outputs);
    const prompts = promptsFor(step, sets);
    const bounds = callBounds(limits, { tier, tenant });
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
        events.late(error, before);
        return before.value;
      }
      const isHopeless = output.cut === true && (doubled || output.tooSlow === true);
      const last = output.unread === undefined || isHopeless || attempt >= limits.reasks;
      events.called(output, last);
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
