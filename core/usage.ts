/** Usage of model calls: counts of calls and tokens, and costs. Pure. */

/**
 * An upper estimate of the usage of attempts without an answer that the provider may bill. The
 * usage that contains it includes these tokens and costs.
 */
export interface EstimatedUsage {
  attempts: number;
  /** Attempts whose worker died or hung, so that an answer may have been lost. */
  repeated: number;
  promptTokens: number;
  completionTokens: number;
  /** Cost in US dollars; null if the price of the model is unknown. */
  costUsd: number | null;
}

/** The usage of one model call. A call served from the response cache has no tokens and no cost. */
export interface CallUsage {
  cached: boolean;
  /** Original cost of a response from the cache, in US dollars; null if unknown. */
  savedUsd?: number | null;
  promptTokens: number;
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
  /** Cost in US dollars at the standard tier, if another tier was requested; null if unknown. */
  standardUsd?: number | null;
  /** Estimate for its attempts without an answer; absent if none. */
  estimated?: EstimatedUsage;
}

/** The usage of a call that took nothing. */
export const NO_CALL_USAGE: CallUsage = {
  cached: false,
  promptTokens: 0,
  cachedPromptTokens: 0,
  completionTokens: 0,
  costUsd: 0,
};

/**
 * The usage of several model calls, such as a question's. Tokens and cost are those of paid calls.
 */
export interface Usage {
  /** Model calls, including those served from the response cache. */
  calls: number;
  cachedCalls: number;
  promptTokens: number;
  /** The part of promptTokens read from the provider's prefix cache. */
  cachedPromptTokens: number;
  /** The part of promptTokens written into the provider's prefix cache; absent if none. */
  writtenPromptTokens?: number;
  completionTokens: number;
  /** Paid calls without reported tokens, which are missing in the counts; absent if none. */
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
  /** Original cost of cached responses, in US dollars; null if one is unknown. */
  savedUsd?: number | null;
  /**
   * Cost in US dollars at the standard tier; present only if some calls had another tier; null if
   * unknown.
   */
  standardUsd?: number | null;
  /** Estimate for attempts without an answer; absent if none. */
  estimated?: EstimatedUsage;
  /**
   * Number of imported answers, whose calls and tokens are unknown and not counted; absent if none.
   */
  untold?: number;
}

/** The usage of no calls. */
export const noUsage: Usage = {
  calls: 0,
  cachedCalls: 0,
  promptTokens: 0,
  cachedPromptTokens: 0,
  completionTokens: 0,
  costUsd: 0,
};

/** Most tokens of a call, far more than any model reads or writes. */
const MOST_TOKENS = 100_000_000;

/** Returns whether a call's reported number of tokens is impossibly high. */
export function isImpossible({
  promptTokens,
  completionTokens,
}: Pick<CallUsage, 'promptTokens' | 'completionTokens'>): boolean {
  return Math.max(promptTokens, completionTokens) > MOST_TOKENS;
}

/** Returns whether a usage includes any call or attempt. */
export function hasUsage({ calls, estimated }: Pick<Usage, 'calls' | 'estimated'>): boolean {
  return calls > 0 || estimated !== undefined;
}

export function addCall(usage: Usage, call: CallUsage): Usage {
  return addUsage(usage, { ...call, calls: 1, cachedCalls: call.cached ? 1 : 0 });
}

/**
 * Returns a usage that includes an estimate of attempts without an answer; unchanged if there is
 * none.
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

/** Returns the cost without estimated attempts, in US dollars; null if a price is unknown. */
export function answeredUsd({ costUsd, estimated }: Pick<Usage, 'costUsd' | 'estimated'>) {
  const lost = estimated ? estimated.costUsd : 0;
  return costUsd === null || lost === null ? null : costUsd - lost;
}

/** Returns the sum of two estimates; undefined if both are. */
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
    ...sumIfAny('untold', a, b),
    ...costOf(a, b),
    ...sumIfAny('statedUsd', a, b),
    ...((a.standardUsd !== undefined || b.standardUsd !== undefined) && {
      standardUsd: sum(standardOf(a), standardOf(b)),
    }),
    ...(a.cachedCalls + b.cachedCalls > 0 && { savedUsd: sum(savedOf(a), savedOf(b)) }),
    ...(estimated && { estimated }),
  };
}

/** Returns the sum of an optional field; empty if both lack it. */
function sumIfAny<F extends 'statedUsd' | 'uncounted' | 'untold' | 'writtenPromptTokens'>(
  field: F,
  { [field]: a }: Usage,
  { [field]: b }: Usage,
): Partial<Record<F, number>> {
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
 * Returns a usage for JSON output: its counts are null, not 0, if imported answers make them
 * unknown.
 */
export function reportedUsage(
  usage: Usage,
): Omit<Usage, (typeof COUNTS)[number]> & Record<(typeof COUNTS)[number], number | null> {
  if (usage.untold === undefined) return usage;
  const unknown = Object.fromEntries(COUNTS.map((name) => [name, null])) as Record<
    (typeof COUNTS)[number],
    null
  >;
  return { ...usage, ...unknown };
}

/** Returns the number of calls that were not served from the response cache. */
export function paidCalls({ calls, cachedCalls }: Pick<Usage, 'calls' | 'cachedCalls'>): number {
  return calls - cachedCalls;
}

export function savedOf({ cachedCalls, savedUsd = null }: Usage): number | null {
  return cachedCalls === 0 ? 0 : savedUsd;
}

/**
 * Returns what all calls would cost without the response cache, in US dollars; null if a price is
 * unknown.
 */
export function fullUsd(usage: Usage): number | null {
  return sum(usage.costUsd, savedOf(usage));
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : roundUsd(a + b);
}

export function sumUsage(usages: readonly Usage[]): Usage {
  return usages.reduce(addUsage, noUsage);
}

/** Returns what all calls would cost at the standard tier, in US dollars; null if unknown. */
export function standardOf({ costUsd, standardUsd }: Pick<Usage, 'costUsd' | 'standardUsd'>) {
  return standardUsd === undefined ? costUsd : standardUsd;
}

/** Rounds US dollars to 12 decimals, so that a sum does not depend on the order of its terms. */
export function roundUsd(dollars: number): number {
  const rounded = Math.round(dollars * 1e12) / 1e12;
  return Number.isFinite(rounded) ? rounded : Math.min(dollars, Number.MAX_VALUE);
}
