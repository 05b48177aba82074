/** Usage of model calls: counts of calls and tokens, and costs. Pure. */

/**
 * The number of attempts that returned no answer and that the provider may bill, and an upper
 * estimate of their tokens and cost, which are included in the usage that contains it.
 */
export interface EstimatedUsage {
  /** Number of such attempts. */
  attempts: number;
  /** Number of them whose worker died or hung, so that an answer may have been lost. */
  repeated: number;
  promptTokens: number;
  completionTokens: number;
  /** Cost in US dollars; null if the price of the model is unknown. */
  costUsd: number | null;
}

/**
 * The tokens and cost in US dollars of one model call. A call that is served from the response
 * cache has no tokens and no cost.
 */
export interface CallUsage {
  /** Whether the response cache served it. */
  cached: boolean;
  /**
   * Original cost of a response from the cache, in US dollars; null if unknown; absent if it was
   * not cached.
   */
  savedUsd?: number | null;
  promptTokens: number;
  /** The part of promptTokens read from the provider's cache. */
  cachedPromptTokens: number;
  /** The part of promptTokens written into the provider's cache; absent if none. */
  writtenPromptTokens?: number;
  completionTokens: number;
  /** 1 if the provider reported no tokens, so that the counts are unknown and not 0. */
  uncounted?: number;
  /** Cost in US dollars; null if the price of the model is unknown. */
  costUsd: number | null;
  /** Cost in US dollars as reported by the provider; absent if it reported none. */
  statedUsd?: number;
  /**
   * Cost in US dollars at the standard tier; null if unknown; absent unless another tier was
   * requested or served.
   */
  standardUsd?: number | null;
  /** Estimate for its attempts without an answer; absent if there were none. */
  estimated?: EstimatedUsage;
}

/** The usage of a call without tokens and cost. */
export const NO_CALL_USAGE: CallUsage = {
  cached: false,
  promptTokens: 0,
  cachedPromptTokens: 0,
  completionTokens: 0,
  costUsd: 0,
};

/**
 * The number, tokens and cost in US dollars of several model calls, such as those of a question.
 * Calls from the cache count in the number only.
 */
export interface Usage {
  /** Number of model calls, including those served from the response cache. */
  calls: number;
  /** Number of calls served from the response cache. */
  cachedCalls: number;
  promptTokens: number;
  /** The part of promptTokens read from the provider's prefix cache. */
  cachedPromptTokens: number;
  /** The part of promptTokens written into the provider's prefix cache; absent if none. */
  writtenPromptTokens?: number;
  completionTokens: number;
  /**
   * Number of paid calls without reported tokens, which are missing in the counts; absent if there
   * are none.
   */
  uncounted?: number;
  /** Cost in US dollars; null if the price of any call is unknown. */
  costUsd: number | null;
  /**
   * The part of the cost that providers reported, in US dollars; absent if none. The rest follows
   * from prices.
   */
  statedUsd?: number;
  /** Cost of the calls with a known price, in US dollars; present only if others have none. */
  knownUsd?: number;
  /**
   * Original cost of cached responses, in US dollars; null if one is unknown; absent without cached
   * calls.
   */
  savedUsd?: number | null;
  /**
   * Cost in US dollars at the standard tier; null if unknown; absent unless another tier was
   * requested for or served a call.
   */
  standardUsd?: number | null;
  /** Estimate for attempts without an answer; absent if there were none. */
  estimated?: EstimatedUsage;
  /**
   * Number of imported answers, whose calls and tokens are unknown and not counted; absent if none.
   */
  answersWithoutUsage?: number;
}

/** The usage of no calls: zero. */
export const NO_USAGE: Usage = {
  calls: 0,
  cachedCalls: 0,
  promptTokens: 0,
  cachedPromptTokens: 0,
  completionTokens: 0,
  costUsd: 0,
};

/** Maximum number of tokens of a call, far more than any model reads or writes. */
const MOST_TOKENS = 100_000_000;

/**
 * Returns whether a call's reported number of tokens is higher than any model can read or write.
 */
export function isImpossible({
  promptTokens,
  completionTokens,
}: Pick<CallUsage, 'promptTokens' | 'completionTokens'>): boolean {
  return Math.max(promptTokens, completionTokens) > MOST_TOKENS;
}

/** Returns whether a usage counts any call, or any estimated attempt that returned no answer. */
export function hasUsage({ calls, estimated }: Pick<Usage, 'calls' | 'estimated'>): boolean {
  return calls > 0 || estimated !== undefined;
}

/** Returns the usage with another call added. */
export function addCall(usage: Usage, call: CallUsage): Usage {
  return addUsage(usage, { ...call, calls: 1, cachedCalls: call.cached ? 1 : 0 });
}

/**
 * Returns the usage with an estimate of attempts without an answer added to its tokens, cost and
 * `estimated`; unchanged if there is no estimate.
 */
export function withEstimated<U extends CallUsage | Usage>(usage: U, more?: EstimatedUsage): U {
  if (!more) return usage;
  const { standardUsd, estimated } = usage;
  return {
    ...usage,
    promptTokens: usage.promptTokens + more.promptTokens,
    completionTokens: usage.completionTokens + more.completionTokens,
    costUsd: sum(usage.costUsd, more.costUsd),
    ...(standardUsd !== undefined && { standardUsd: sum(standardUsd, more.costUsd) }),
    estimated: addEstimated(estimated, more),
  };
}

/**
 * Returns the cost of answered calls alone, without estimated attempts, in US dollars; null if a
 * price is unknown.
 */
export function answeredUsd({ costUsd, estimated }: Pick<Usage, 'costUsd' | 'estimated'>) {
  const lost = estimated ? estimated.costUsd : 0;
  return costUsd === null || lost === null ? null : costUsd - lost;
}

/** Returns the sum of two estimates; undefined if both are undefined. */
export function addEstimated(a?: EstimatedUsage, b?: EstimatedUsage): EstimatedUsage | undefined {
  if (!a || !b) return a ?? b;
  return {
    attempts: a.attempts + b.attempts,
    repeated: a.repeated + b.repeated,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    costUsd: sum(a.costUsd, b.costUsd),
  };
}

/**
 * Returns the sum of two usages. Its cost is null if either is unknown; `knownUsd` then has the
 * known part.
 */
export function addUsage(a: Usage, b: Usage): Usage {
  const estimated = addEstimated(a.estimated, b.estimated);
  return {
    calls: a.calls + b.calls,
    cachedCalls: a.cachedCalls + b.cachedCalls,
    promptTokens: a.promptTokens + b.promptTokens,
    cachedPromptTokens: a.cachedPromptTokens + b.cachedPromptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    ...sumIfAny('writtenPromptTokens', a, b),
    ...sumIfAny('uncounted', a, b),
    ...sumIfAny('answersWithoutUsage', a, b),
    ...costOf(a, b),
    ...sumIfAny('statedUsd', a, b),
    ...((a.standardUsd !== undefined || b.standardUsd !== undefined) && {
      standardUsd: sum(standardTierUsd(a), standardTierUsd(b)),
    }),
    ...(a.cachedCalls + b.cachedCalls > 0 && { savedUsd: sum(savedOf(a), savedOf(b)) }),
    ...(estimated && { estimated }),
  };
}

/** Returns the sum of an optional field; empty if both lack it. */
function sumIfAny<
  F extends 'statedUsd' | 'uncounted' | 'answersWithoutUsage' | 'writtenPromptTokens',
>(field: F, { [field]: a }: Usage, { [field]: b }: Usage): Partial<Record<F, number>> {
  if (a === undefined && b === undefined) return {};
  return { [field]: roundUsd((a ?? 0) + (b ?? 0)) } as Record<F, number>;
}

/** Returns the cost of both; an unknown price does not hide a known one. */
function costOf(a: Usage, b: Usage): Pick<Usage, 'costUsd' | 'knownUsd'> {
  const costUsd = sum(a.costUsd, b.costUsd);
  if (costUsd !== null) return { costUsd };
  const known = roundUsd((a.costUsd ?? a.knownUsd ?? 0) + (b.costUsd ?? b.knownUsd ?? 0));
  return { costUsd, ...(known > 0 && { knownUsd: known }) };
}

/** Names of the counts of a usage. */
const COUNTS = [
  'calls',
  'cachedCalls',
  'promptTokens',
  'cachedPromptTokens',
  'completionTokens',
] as const;

/**
 * Returns a usage for JSON output. If it includes imported answers, its numbers of calls and
 * tokens are unknown and become null.
 */
export function reportedUsage(
  usage: Usage,
): Omit<Usage, (typeof COUNTS)[number]> & Record<(typeof COUNTS)[number], number | null> {
  if (usage.answersWithoutUsage === undefined) return usage;
  const unknown = Object.fromEntries(COUNTS.map((name) => [name, null])) as Record<
    (typeof COUNTS)[number],
    null
  >;
  return { ...usage, ...unknown };
}

/** Returns the number of calls in a usage that the response cache did not serve. */
export function paidCalls({ calls, cachedCalls }: Pick<Usage, 'calls' | 'cachedCalls'>): number {
  return calls - cachedCalls;
}

/**
 * Returns the original cost of the cached responses, in US dollars; 0 without any, null if one is
 * unknown.
 */
export function savedOf({ cachedCalls, savedUsd = null }: Usage): number | null {
  return cachedCalls === 0 ? 0 : savedUsd;
}

/**
 * Returns the cost of all calls as if none were cached, in US dollars; null if a price is unknown.
 */
export function fullUsd(usage: Usage): number | null {
  return sum(usage.costUsd, savedOf(usage));
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : roundUsd(a + b);
}

/** Returns the sum of several usages. */
export function sumUsage(usages: readonly Usage[]): Usage {
  return usages.reduce(addUsage, NO_USAGE);
}

/**
 * Returns the cost of the paid calls as if all were at the standard tier, in US dollars; null if a
 * price is unknown.
 */
export function standardTierUsd({ costUsd, standardUsd }: Pick<Usage, 'costUsd' | 'standardUsd'>) {
  return standardUsd === undefined ? costUsd : standardUsd;
}

/**
 * Returns US dollars rounded to 12 decimals, so that a sum does not depend on the order of its
 * terms; at most `Number.MAX_VALUE`.
 */
export function roundUsd(dollars: number): number {
  const rounded = Math.round(dollars * 1e12) / 1e12;
  return Number.isFinite(rounded) ? rounded : Math.min(dollars, Number.MAX_VALUE);
}
