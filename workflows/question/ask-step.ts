/**
 * Asks a model step until its output can be read. Questions and jobs ask in the same way; the caller
 * decides how a call is made, and what happens with its outputs.
 */
import { ApplicationFailure } from '@temporalio/workflow';
import { omitDefaults } from '../../core/call-defaults.js';
import type { QuestionTransport } from '../../core/provider-batches.js';
import { modelFor, outputFor, promptsFor } from '../../core/step-models.js';
import type { TenantShare } from '../../core/tenants.js';
import { type Tier, tierOf, timeoutAt } from '../../core/tier.js';
import type { SentCall, StepOutput } from '../../steps/call.js';
import { type OutputRow, outputOfRow } from '../../steps/output-row.js';
import type { CallBounds } from '../activities/calls.js';
import type { PreparedInput } from '../activities/question.js';
import { causeOf } from '../workflow-failure.js';

/**
 * The fields of a question's input that determine how its model steps are called: models, prompts,
 * limits, cache and the like.
 */
export type CallInput = Pick<
  PreparedInput<unknown>,
  'cache' | 'extraBody' | 'limits' | 'models' | 'outputs' | 'prompts' | 'seed' | 'tier'
>;

/**
 * The settings with which a question or job calls its model steps: the fields of its input for
 * them, the default model, batch transport, run and tenant.
 */
export interface ModelCallSettings {
  input: CallInput;
  defaultModel: string;
  /** How model calls are made by batch; undefined if they are not. */
  transport?: QuestionTransport | undefined;
  /** Id of the run; undefined outside a run. */
  run?: string | undefined;
  /** The tenant on whose behalf the question is asked; undefined if there is none. */
  tenant?: TenantShare | undefined;
  /**
   * Maximum number of additional samples that may replace unreadable stored responses. @default 0
   */
  resample?: number | undefined;
}

/** Callbacks of `askUntilRead`: how a step is called, and what happens with its outputs. */
interface StepAsking<O> {
  /** Makes one call. @param attempt Number of calls before it. */
  call(sent: SentCall, attempt: number): Promise<OutputRow<O>>;
  /** Called with each output; `last` is set for the one whose value counts. */
  called(output: StepOutput<O>, last: boolean): void;
  /**
   * Called if a call with twice the tokens timed out, so that the previous output is used.
   */
  late(error: unknown, before: StepOutput<O>): void;
}

/**
 * Calls a model step until its output can be read, and returns the value read; the step's fallback
 * if no output can be read.
 *
 * The step is called again at most `limits.reasks` times. After an output that was cut, it is
 * called with twice the tokens, unless they cannot be generated in time. If that output is cut too,
 * or comes too late, it is not called again.
 *
 * @throws ApplicationFailure Unexpected if the step's own code throws; the failure of a call.
 */
export async function askUntilRead<O>(
  step: string,
  settings: ModelCallSettings,
  corpus: string | null,
  { call, called, late }: StepAsking<O>,
): Promise<O> {
  const always = { ...fixedCallSettings(step, settings), ...omitDefaults({ corpus }) };
  let [thinks, doubled] = [false, false];
  let mostTokens: number | undefined;
  let before: StepOutput<O> | undefined;
  for (let attempt = 0; ; attempt++) {
    const sent: SentCall = {
      ...always,
      ...omitDefaults({ attempt, thinks, doubled }),
      ...(mostTokens !== undefined && { mostTokens }),
    };
    let output: StepOutput<O>;
    try {
      output = outputOfRow(await call(sent, attempt), sent.model);
    } catch (error) {
      if (!before || !doubled || causeOf(error).type !== 'Timeout') throw error;
      late(error, before);
      return before.value;
    }
    const isHopeless = output.cut === true && (doubled || output.tooSlow === true);
    const last =
      output.unread === undefined || isHopeless || attempt >= settings.input.limits.reasks;
    called(output, last);
    if (output.fault !== undefined) {
      throw ApplicationFailure.nonRetryable(output.fault, 'Unexpected');
    }
    if (last) return output.value;
    thinks ||= output.thinking !== undefined;
    doubled ||= output.cut === true;
    mostTokens = output.mostTokens ?? mostTokens;
    before = output;
  }
}

/** Returns the settings that every call of a step has, without defaults. */
function fixedCallSettings(
  step: string,
  { input, defaultModel, transport, run, tenant, resample = 0 }: ModelCallSettings,
): SentCall {
  const { limits, cache, seed } = input;
  const tier = tierOf(step, input.tier);
  const prompts = promptsFor(step, input.prompts);
  const form = outputFor(step, input.outputs);
  return {
    ...modelFor(step, input, defaultModel),
    ...omitDefaults({ prompts, resample, cache, seed, tier, form }),
    ...callBounds(limits, { tier, tenant }),
    ...(transport && { batch: transport }),
    ...(run !== undefined && { run }),
  };
}

/**
 * Returns the timeout in seconds, the retry limits and the tenant of a call, as its activity gets
 * them; values equal to the defaults are left out.
 */
export function callBounds(
  { callTimeoutSeconds, attempts, refusals, outageSeconds }: CallInput['limits'],
  { tier = 'standard', tenant }: { tier?: Tier; tenant?: TenantShare | undefined } = {},
): CallBounds {
  const timeoutSeconds = timeoutAt(tier, callTimeoutSeconds);
  const bounds = omitDefaults({ timeoutSeconds, attempts, refusals, outageSeconds });
  return { ...bounds, ...(tenant && { tenant: tenant.name }) };
}
