/** Turns the observation of an attempt into measurements. Pure. */
import { answeredUsd, type CallUsage, type EstimatedUsage } from '../../core/usage.js';
import type { Observation } from './observation.js';
import type { Measurement } from './worker-metrics.js';

/**
 * Returns the values that one attempt of an activity adds to the metrics, depending on how it
 * ended: its duration, with the tokens and cost of a model call; or a refusal by the provider or a
 * failure, with the estimated tokens and cost if the call failed for good. After a refusal, or if
 * our own limit postponed it, also the wait before the next attempt. Empty if it was cancelled or
 * deferred, or waits for the answer of another call.
 */
export function measurementsOf(observation: Observation): Measurement[] {
  const { method, step, model, end, kind = 'Unexpected', seconds, waitSeconds } = observation;
  const call = { method, step, model };
  const of = { ...call, kind };
  const wait: Measurement[] =
    waitSeconds === undefined ? [] : [{ series: 'waits', value: waitSeconds, labels: of }];
  const lost = observation.lost ? lossMeasurements(observation.lost, call) : [];
  switch (end) {
    case 'answered':
      return [
        { series: 'seconds', value: seconds, labels: call },
        ...(observation.usage ? callMeasurements(observation.usage, call) : []),
      ];
    case 'limited':
      return wait;
    case 'refused':
      return [{ series: 'refusals', value: 1, labels: of }, ...wait, ...lost];
    case 'failed':
      return [{ series: 'failures', value: 1, labels: of }, ...lost];
    default:
      return [];
  }
}

type CallLabels = Readonly<Record<'method' | 'step' | 'model', string>>;

/**
 * Returns the values that an answered model call adds to the metrics: the call itself, its tokens
 * by kind, and its cost in US dollars, a cache hit, or that its price is unknown. The estimated
 * cost of earlier attempts without an answer is a value of its own.
 */
export function callMeasurements(usage: CallUsage, call: CallLabels): Measurement[] {
  const { cached, estimated } = usage;
  const answered = answeredUsd(usage);
  const paid: Measurement[] = cached
    ? [{ series: 'cacheHits', value: 1, labels: call }]
    : dollars(answered, 'answered', call);
  return [
    { series: 'calls', value: 1, labels: call },
    ...tokensOf(usage, call),
    ...paid,
    ...(estimated ? dollars(estimated.costUsd, 'estimated', call) : []),
  ];
}

/** Returns the estimated tokens and cost of attempts without an answer. */
function lossMeasurements(lost: EstimatedUsage, call: CallLabels): Measurement[] {
  return [
    ...tokensOf({ ...lost, cachedPromptTokens: 0 }, call),
    ...dollars(lost.costUsd, 'estimated', call),
  ];
}

/**
 * Returns the number of each kind of token, without overlap, so that their sum is what was paid
 * for.
 */
function tokensOf(
  {
    promptTokens,
    cachedPromptTokens,
    writtenPromptTokens = 0,
    completionTokens,
  }: Pick<
    CallUsage,
    'promptTokens' | 'cachedPromptTokens' | 'completionTokens' | 'writtenPromptTokens'
  >,
  call: CallLabels,
): Measurement[] {
  const kinds = {
    prompt: promptTokens - cachedPromptTokens - writtenPromptTokens,
    cached_prompt: cachedPromptTokens,
    written_prompt: writtenPromptTokens,
    completion: completionTokens,
  };
  return Object.entries(kinds).flatMap(([kind, value]) =>
    value > 0 ? [{ series: 'tokens', value: whole(value), labels: { ...call, kind } }] : [],
  );
}

/** Returns a number of tokens as an integer that a counter accepts. */
function whole(tokens: number): number {
  return Math.min(Math.round(tokens), Number.MAX_SAFE_INTEGER);
}

/** Returns a cost in US dollars, or a count of calls without a known price. */
function dollars(costUsd: number | null, kind: string, call: CallLabels): Measurement[] {
  if (costUsd === null) return [{ series: 'unpriced', value: 1, labels: call }];
  // Rounding errors may make a difference slightly negative.
  return [{ series: 'cost', value: Math.max(0, costUsd), labels: { ...call, kind } }];
}
