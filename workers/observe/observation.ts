/** What can be seen of an activity from outside: what metrics count and spans tell. Pure. */
import { CompleteAsyncError, type Info } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { traitsOf } from '../../core/failure.js';
import type { CallUsage, Estimated } from '../../core/usage.js';
import type { GenerationEnd } from '../../llm/language-model.js';
import { placeOf } from '../../workflows/run/run-name.js';

/**
 * How an attempt ended. `deferred`: it gave its slot back, and is answered from outside. `limited`:
 * it comes back when a limit of ours lets it. `waiting`: another call pays for its answer.
 */
export type AttemptEnd =
  | 'answered'
  | 'deferred'
  | 'cancelled'
  | 'limited'
  | 'waiting'
  | 'refused'
  | 'failed';

/** One attempt of an activity. Holds no text of a question, a prompt or an answer. */
export interface Observation {
  /** Type of the workflow: for steps of questions, the method. */
  method: string;
  /** Type of the activity. */
  step: string;
  /** The model that was asked for; empty where the activity asks none. */
  model: string;
  /** The run that it belongs to, if any. */
  run?: string | undefined;
  /** Id of the question, where it belongs to one. */
  question?: string | undefined;
  attempt: number;
  end: AttemptEnd;
  /** What it failed with, by the name of the failure; only where it was limited, refused or failed. */
  kind?: string;
  seconds: number;
  /** What the provider or the limit asks for before the next attempt, where it is to wait. */
  waitSeconds?: number;
  /** Only of an answered call of a model. */
  usage?: CallUsage;
  /** The model that served it; only of an answer by batch. */
  served?: string;
  /** How the generation ended; only of an answer by batch. */
  finish?: GenerationEnd;
  /** The tier that served it, where another one than the usual was asked for. */
  tier?: string;
  /** What attempts without an answer may have cost; only of a call that failed for good. */
  lost?: Estimated;
}

/** How an attempt ended for whoever carried it out. */
export type Ended = { output: unknown } | { error: unknown };

type Seen = Pick<Info, 'activityType' | 'workflowType' | 'workflowExecution' | 'attempt'>;

/** @param args What the activity was called with. */
export function observationOf(
  info: Seen,
  args: readonly unknown[],
  ended: Ended,
  seconds: number,
): Observation {
  const { activityType, workflowType = '', workflowExecution, attempt } = info;
  const output = 'output' in ended ? outputOf(ended.output) : undefined;
  return {
    method: workflowType,
    step: activityType,
    model: modelIn(args) ?? output?.model ?? '',
    ...placeOf(workflowExecution?.workflowId ?? ''),
    attempt,
    seconds,
    ...('error' in ended ? failed(ended.error) : { end: 'answered' }),
    ...(output && tookOf(output)),
  };
}

/** A call that a step gives back. */
interface Output {
  usage: CallUsage;
  /** Who served it. */
  model: string;
  tier?: string;
  end: GenerationEnd;
}

/** Returns what an observation tells of it. */
export function tookOf({ usage, tier }: Output): Pick<Observation, 'usage' | 'tier'> {
  return { usage, ...(tier !== undefined && { tier }) };
}

/** Returns the call that a step gives back; undefined of anything else. */
export function outputOf(output: unknown): Output | undefined {
  const { usage, model, tier, cut, unknownEnd } = Object(output) as Record<string, unknown>;
  const { cached, promptTokens } = Object(usage) as Partial<CallUsage>;
  // A tally has a usage as well: of calls that were counted before.
  if (typeof cached !== 'boolean' || typeof promptTokens !== 'number') return undefined;
  return {
    usage: usage as CallUsage,
    model: typeof model === 'string' ? model : '',
    end: typeof unknownEnd === 'string' ? { unknown: unknownEnd } : cut ? 'cut' : 'finished',
    ...(typeof tier === 'string' && { tier }),
  };
}

/** Steps are called with an input and how it is to be carried out. */
function modelIn([, call]: readonly unknown[]): string | undefined {
  const { model } = Object(call) as { model?: unknown };
  return typeof model === 'string' ? model : undefined;
}

function failed(error: unknown): Pick<Observation, 'end' | 'kind' | 'waitSeconds' | 'lost'> {
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

/** Returns the delay of a failure: the SDK has it in the server's form, or in milliseconds. */
function waitOf({ nextRetryDelay, nonRetryable }: ApplicationFailure): { waitSeconds?: number } {
  if (nonRetryable || typeof nextRetryDelay !== 'number') return {};
  return { waitSeconds: nextRetryDelay / 1000 };
}

/** Returns what all attempts have lost; the last one tells it. */
function lostIn({ nonRetryable, details }: ApplicationFailure): { lost?: Estimated } {
  if (!nonRetryable) return {};
  const { estimated } = Object(details?.[0]) as { estimated?: Estimated };
  return estimated ? { lost: estimated } : {};
}
