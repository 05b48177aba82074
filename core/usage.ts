/** Counting calls, tokens and money. */

/**
 * Attempts of calls that gave no answer, and that the provider may bill all the same: at most what
 * is said here. A part of the tokens and the cost beside it.
 */
export interface Estimated {
  attempts: number;
  /** Those of them whose worker died or stood still: it may have had the answer. */
  repeated: number;
  promptTokens: number;
  completionTokens: number;
  /** US dollars; null when the price of the model is not known. */
  costUsd: number | null;
}

/** What one call of a step took. A call served from the response cache has no tokens and no cost. */
export interface CallUsage {
  cached: boolean;
  /** Of a cached call: what the response cost when it was paid for; null when that is not known. */
  savedUsd?: number | null;
  promptTokens: number;
  cachedPromptTokens: number;
  completionTokens: number;
  /** US dollars; null when the price of the model is not known. */
  costUsd: number | null;
  /** What the same tokens cost at the usual tier, where another one was asked for. */
  standardUsd?: number | null;
  /** Only where attempts of it gave no answer. */
  estimated?: Estimated;
}

/** What a question, or one step of it, took. Tokens and cost are of the calls that were paid. */
export interface Usage {
  /** Model calls, the ones served from the response cache included. */
  calls: number;
  cachedCalls: number;
  promptTokens: number;
  /** The part of promptTokens that the provider served from its prefix cache. */
  cachedPromptTokens: number;
  completionTokens: number;
  /** US dollars; null once one call's price is not known. */
  costUsd: number | null;
  /** What the calls cost whose prices are known; only where others' are not. */
  knownUsd?: number;
  /** What the cached calls cost when they were paid for; null once that is not known of one. */
  savedUsd?: number | null;
  /** What the same calls cost at the usual tier; only where some were asked for at another one. */
  standardUsd?: number | null;
  /** Only where attempts gave no answer. */
  estimated?: Estimated;
}

export const noUsage: Usage = {
  calls: 0,
  cachedCalls: 0,
  promptTokens: 0,
  cachedPromptTokens: 0,
  completionTokens: 0,
  costUsd: 0,
};

/** Far more than any model reads or writes in a call. */
const MOST_TOKENS = 100_000_000;

/** Tells whether a call cannot have taken so many tokens as its provider says. */
export function isImpossible({
  promptTokens,
  completionTokens,
}: Pick<CallUsage, 'promptTokens' | 'completionTokens'>): boolean {
  return Math.max(promptTokens, completionTokens) > MOST_TOKENS;
}

/** Tells whether anything was asked: attempts without an answer cost as well. */
export function isUsed({ calls, estimated }: Pick<Usage, 'calls' | 'estimated'>): boolean {
  return calls > 0 || estimated !== undefined;
}

/** Returns the usage with one more call in it. */
export function addCall(usage: Usage, call: CallUsage): Usage {
  return addUsage(usage, { ...call, calls: 1, cachedCalls: call.cached ? 1 : 0 });
}

/** Returns a call with what its earlier attempts may have cost. */
export function withEstimated<U extends CallUsage | Usage>(usage: U, more?: Estimated): U {
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

/** Returns what the calls that were answered cost; null once a price is not known. */
export function answeredUsd({ costUsd, estimated }: Pick<Usage, 'costUsd' | 'estimated'>) {
  const lost = estimated ? estimated.costUsd : 0;
  return costUsd === null || lost === null ? null : costUsd - lost;
}

/** Returns the sum of two estimates; undefined where there is none. */
export function addEstimated(a?: Estimated, b?: Estimated): Estimated | undefined {
  if (!a || !b) return a ?? b;
  return {
    attempts: a.attempts + b.attempts,
    repeated: a.repeated + b.repeated,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    costUsd: sum(a.costUsd, b.costUsd),
  };
}

/** Returns the sum of two usages. */
export function addUsage(a: Usage, b: Usage): Usage {
  const estimated = addEstimated(a.estimated, b.estimated);
  return {
    calls: a.calls + b.calls,
    cachedCalls: a.cachedCalls + b.cachedCalls,
    promptTokens: a.promptTokens + b.promptTokens,
    cachedPromptTokens: a.cachedPromptTokens + b.cachedPromptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    ...costOf(a, b),
    ...((a.standardUsd !== undefined || b.standardUsd !== undefined) && {
      standardUsd: sum(standardOf(a), standardOf(b)),
    }),
    ...(a.cachedCalls + b.cachedCalls > 0 && { savedUsd: sum(savedOf(a), savedOf(b)) }),
    ...(estimated && { estimated }),
  };
}

/** Returns the cost of both; an unknown price does not hide a known one. */
function costOf(a: Usage, b: Usage): Pick<Usage, 'costUsd' | 'knownUsd'> {
  const costUsd = sum(a.costUsd, b.costUsd);
  if (costUsd !== null) return { costUsd };
  const known = exact((a.costUsd ?? a.knownUsd ?? 0) + (b.costUsd ?? b.knownUsd ?? 0));
  return { costUsd, ...(known > 0 && { knownUsd: known }) };
}

/** Calls that were paid for: those that the tokens and the cost beside them are of. */
export function paidCalls({ calls, cachedCalls }: Pick<Usage, 'calls' | 'cachedCalls'>): number {
  return calls - cachedCalls;
}

/** Returns what the response cache saved. */
export function savedOf({ cachedCalls, savedUsd = null }: Usage): number | null {
  return cachedCalls === 0 ? 0 : savedUsd;
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : exact(a + b);
}

/** Returns the sum of any number of usages. */
export function sumUsage(usages: readonly Usage[]): Usage {
  return usages.reduce(addUsage, noUsage);
}

/** Returns what calls cost at the usual tier, with those that were served at it. */
export function standardOf({ costUsd, standardUsd }: Pick<Usage, 'costUsd' | 'standardUsd'>) {
  return standardUsd === undefined ? costUsd : standardUsd;
}

/** US dollars without the noise of binary fractions, so that a sum does not tell in which order it was made. */
export function exact(dollars: number): number {
  const rounded = Math.round(dollars * 1e12) / 1e12;
  return Number.isFinite(rounded) ? rounded : Math.min(dollars, Number.MAX_VALUE);
}
