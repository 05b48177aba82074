/** Counts calls, tokens and money. */

/**
 * Attempts without an answer that the provider may still bill, at most this much. Part of the
 * tokens and the cost beside it.
 */
export interface Estimated {
  attempts: number;
  /** Attempts whose worker died or stood still: it may have had the answer. */
  repeated: number;
  promptTokens: number;
  completionTokens: number;
  /** US dollars; null when the price of the model is not known. */
  costUsd: number | null;
}

/** The usage of one call. A cached call has no tokens and no cost. */
export interface CallUsage {
  cached: boolean;
  /** What the response of a cached call had cost; null if unknown. */
  savedUsd?: number | null;
  promptTokens: number;
  cachedPromptTokens: number;
  /** The part of promptTokens that the provider wrote into its cache; left out if none. */
  writtenPromptTokens?: number;
  completionTokens: number;
  /** 1 if the provider told no tokens: those above are unknown then, and not 0. */
  uncounted?: number;
  /** US dollars; null when the price of the model is not known. */
  costUsd: number | null;
  /** The same, if the provider stated it. */
  statedUsd?: number;
  /** What the same tokens cost at the usual tier, where another one was asked for. */
  standardUsd?: number | null;
  /** Only where attempts of it gave no answer. */
  estimated?: Estimated;
}

/** The usage of a question or a step. Tokens and cost are of paid calls. */
export interface Usage {
  /** Model calls, the ones served from the response cache included. */
  calls: number;
  cachedCalls: number;
  promptTokens: number;
  /** The part of promptTokens that the provider served from its prefix cache. */
  cachedPromptTokens: number;
  /** The part of promptTokens that the provider wrote into its prefix cache; only if it did. */
  writtenPromptTokens?: number;
  completionTokens: number;
  /** Paid calls of which the provider told no tokens: they are missing in those above. Only if any. */
  uncounted?: number;
  /** US dollars; null once one call's price is not known. */
  costUsd: number | null;
  /** The part of the cost that providers stated; only if they did. The rest follows from prices. */
  statedUsd?: number;
  /** The cost of the calls with a known price; only if others have none. */
  knownUsd?: number;
  /** What the responses of cached calls had cost; null if unknown for one. */
  savedUsd?: number | null;
  /** The cost at the usual tier; only if some calls had another tier. */
  standardUsd?: number | null;
  /** Only where attempts gave no answer. */
  estimated?: Estimated;
  /**
   * Answers that were made elsewhere: their calls, tokens and times are unknown, and missing in what is
   * counted here. Only if there are any.
   */
  untold?: number;
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

/** Returns the sum of a field that a usage may lack; nothing if both do. */
function sumIfAny<F extends 'statedUsd' | 'uncounted' | 'untold' | 'writtenPromptTokens'>(
  field: F,
  { [field]: a }: Usage,
  { [field]: b }: Usage,
): Partial<Record<F, number>> {
  if (a === undefined && b === undefined) return {};
  return { [field]: exact((a ?? 0) + (b ?? 0)) } as Record<F, number>;
}

/** Returns the cost of both; an unknown price does not hide a known one. */
function costOf(a: Usage, b: Usage): Pick<Usage, 'costUsd' | 'knownUsd'> {
  const costUsd = sum(a.costUsd, b.costUsd);
  if (costUsd !== null) return { costUsd };
  const known = exact((a.costUsd ?? a.knownUsd ?? 0) + (b.costUsd ?? b.knownUsd ?? 0));
  return { costUsd, ...(known > 0 && { knownUsd: known }) };
}

/** The counts of a usage. */
const COUNTS = [
  'calls',
  'cachedCalls',
  'promptTokens',
  'cachedPromptTokens',
  'completionTokens',
] as const;

/** Returns a usage as it is told to programs: counts that are not known are null, and not 0. */
export function toldUsage(
  usage: Usage,
): Omit<Usage, (typeof COUNTS)[number]> & Record<(typeof COUNTS)[number], number | null> {
  if (usage.untold === undefined) return usage;
  const unknown = Object.fromEntries(COUNTS.map((name) => [name, null])) as Record<
    (typeof COUNTS)[number],
    null
  >;
  return { ...usage, ...unknown };
}

/** Returns the paid calls, to which tokens and cost belong. */
export function paidCalls({ calls, cachedCalls }: Pick<Usage, 'calls' | 'cachedCalls'>): number {
  return calls - cachedCalls;
}

export function savedOf({ cachedCalls, savedUsd = null }: Usage): number | null {
  return cachedCalls === 0 ? 0 : savedUsd;
}

/** Returns what all calls would have cost without the cache; null where a price is not known. */
export function fullUsd(usage: Usage): number | null {
  return sum(usage.costUsd, savedOf(usage));
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : exact(a + b);
}

export function sumUsage(usages: readonly Usage[]): Usage {
  return usages.reduce(addUsage, noUsage);
}

/** Returns what calls cost at the usual tier, with those that were served at it. */
export function standardOf({ costUsd, standardUsd }: Pick<Usage, 'costUsd' | 'standardUsd'>) {
  return standardUsd === undefined ? costUsd : standardUsd;
}

/** Rounds US dollars, so that a sum does not depend on the order of its terms. */
export function exact(dollars: number): number {
  const rounded = Math.round(dollars * 1e12) / 1e12;
  return Number.isFinite(rounded) ? rounded : Math.min(dollars, Number.MAX_VALUE);
}
