/** The facts of an activity's attempt that metrics and spans report. Pure. */
import { CompleteAsyncError, type Info } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { traitsOf } from '../../core/failure.js';
import type { CallUsage, EstimatedUsage } from '../../core/usage.js';
import type { GenerationEnd } from '../../llm/language-model.js';
import { type CountedRow, countedOfRow } from '../../steps/output-row.js';
import { placeOf } from '../../workflows/run/run-name.js';

/**
 * The end of an attempt. `deferred`: it gave up its slot and will be completed from outside.
 * `limited`: it was postponed by our own rate limit. `waiting`: it was postponed because another
 * call pays for its answer. `refused`: by the provider's rate limit.
 */
type AttemptEnd =
  | 'answered'
  | 'deferred'
  | 'cancelled'
  | 'limited'
  | 'waiting'
  | 'refused'
  | 'failed';

/**
 * The facts that metrics and spans report of one attempt of an activity: its names, how it ended,
 * its duration in seconds, and the usage of its model call. It has no text of a question, prompt
 * or answer.
 */
export interface Observation {
  /** Type of the workflow; for steps of questions, the method. */
  method: string;
  /** Type of the activity. */
  step: string;
  /** The requested model; empty if the activity calls none. */
  model: string;
  /** Id of the run; undefined outside a run. */
  run?: string | undefined;
  /** Id of the question; undefined if the activity belongs to none. */
  question?: string | undefined;
  /** Number of the attempt, from 1. */
  attempt: number;
  end: AttemptEnd;
  /** Type of the failure; only if the attempt was limited, refused or failed. */
  kind?: string;
  /** Duration of the attempt, in seconds. */
  seconds: number;
  /** Requested wait before the next attempt, in seconds. */
  waitSeconds?: number;
  /** Usage; only of an answered model call. */
  usage?: CallUsage;
  /** The served model; only of an answer by batch. */
  served?: string;
  /** End of the generation; only of an answer by batch. */
  finish?: GenerationEnd;
  /** The served tier, if another one than the usual was requested or served. */
  tier?: string;
  /**
   * Estimated usage and cost of attempts without an answer; only of a call that failed for good.
   */
  lost?: EstimatedUsage;
}

/** The end of an attempt of an activity: its output or its error. */
export type AttemptResult = { output: unknown } | { error: unknown };

type Seen = Pick<Info, 'activityType' | 'workflowType' | 'workflowExecution' | 'attempt'>;

/**
 * Returns the observation of an attempt of an activity that has ended, whether it called a model
 * or not.
 */
export function observationOf(
  info: Seen,
  args: readonly unknown[],
  ended: AttemptResult,
  seconds: number,
): Observation {
  const { activityType, workflowType = '', workflowExecution, attempt } = info;
  const asked = modelIn(args);
  const output = 'output' in ended ? callOutput(ended.output, asked) : undefined;
  return {
    method: workflowType,
    step: activityType,
    model: asked ?? output?.model ?? '',
    ...placeOf(workflowExecution?.workflowId ?? ''),
    attempt,
    seconds,
    ...('error' in ended ? failureFacts(ended.error) : { end: 'answered' }),
    ...(output && usageAndTier(output)),
  };
}

/** The facts of a model call, read from a step's output. */
interface Output {
  usage: CallUsage;
  /** The served model. */
  model: string;
  tier?: string;
  end: GenerationEnd;
}

/**
 * Returns those fields of an observation that report a call's `usage` and the service `tier` that
 * served it; the latter is absent if the usual tier was asked for and served it.
 */
export function usageAndTier({ usage, tier }: Output): Pick<Observation, 'usage' | 'tier'> {
  return { usage, ...(tier !== undefined && { tier }) };
}

/**
 * Returns the usage, model, tier and end of the model call in an activity's output; undefined if
 * the activity made no call, or if the output is a sum of several.
 *
 * @param output Output in the form that `outputRow` writes.
 * @param asked The model that the arguments of the activity name.
 */
export function callOutput(output: unknown, asked?: string): Output | undefined {
  const { usage, tier, cut, unknownEnd } = Object(output) as Record<string, unknown>;
  // A sum of several calls has a usage too, but these were counted before.
  if (typeof usage !== 'object' || usage === null || 'calls' in usage) return undefined;
  return {
    ...countedOfRow(output as CountedRow, asked),
    end: typeof unknownEnd === 'string' ? { unknown: unknownEnd } : cut ? 'cut' : 'finished',
    ...(typeof tier === 'string' && { tier }),
  };
}

/**
 * Returns the model in the arguments of an activity; undefined if there is none. Steps get an input
 * and call settings.
 */
function modelIn([, call]: readonly unknown[]): string | undefined {
  const { model } = Object(call) as { model?: unknown };
  return typeof model === 'string' ? model : undefined;
}

/** Returns how a failed attempt ended, with the type of its failure. */
function failureFacts(error: unknown): Pick<Observation, 'end' | 'kind' | 'waitSeconds' | 'lost'> {
  if (error instanceof CompleteAsyncError) return { end: 'deferred' };
  if (error instanceof CancelledFailure || isAbort(error)) return { end: 'cancelled' };
  if (!(error instanceof ApplicationFailure)) return { end: 'failed', kind: 'Unexpected' };
  const kind = error.type ?? 'Unexpected';
  const wait = waitOf(error);
  const { seenAs: end = 'failed' } = traitsOf(kind);
  if (end === 'waiting') return { end };
  return { end, kind, ...(end !== 'failed' && wait), ...(end !== 'limited' && lostIn(error)) };
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Returns the wait before the next attempt in seconds; an empty object if there is none. */
function waitOf({ nextRetryDelay, nonRetryable }: ApplicationFailure): { waitSeconds?: number } {
  if (nonRetryable || typeof nextRetryDelay !== 'number') return {};
  return { waitSeconds: nextRetryDelay / 1000 };
}

/** Returns the estimated loss of all attempts, which only the last one reports. */
function lostIn({ nonRetryable, details }: ApplicationFailure): { lost?: EstimatedUsage } {
  if (!nonRetryable) return {};
  const { estimated } = Object(details?.[0]) as { estimated?: EstimatedUsage };
  return estimated ? { lost: estimated } : {};
}
