/** The limits of a task queue's model calls, who asked for them, and since when. Pure. */

/**
 * Rate limits of a task queue's model calls, per minute. Null means no limit; tokens may still be
 * limited by the configuration of a worker.
 */
export interface Rates {
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
}

/** The name of a rate limit: "requestsPerMinute" or "tokensPerMinute". */
export type Rate = keyof Rates;

/** The names of all rate limits that a task queue can have. */
export const RATES: readonly Rate[] = ['requestsPerMinute', 'tokensPerMinute'];

interface Limit {
  perMinute: number;
  /** Workflow id of the run that requested it; null if it was set for the queue itself. */
  owner: string | null;
  /** Time at which it was asked for, in milliseconds since 1970. */
  since: number;
}

/**
 * All limits that are requested now: for each rate, a list in the order of the requests, the last
 * of which is in force.
 */
export type RequestedLimits = Record<Rate, Limit[]>;

/**
 * The limits in force, by rate (`requestsPerMinute`, `tokensPerMinute`): each with its number per
 * minute, the workflow id of the run that requested it (null if it was set for the queue itself),
 * and since when, in milliseconds since 1970. A rate without a limit is left out.
 */
export type LimitsInForce = Partial<Record<Rate, Limit>>;

/**
 * A request for limits by a run, named by its workflow id, or by the queue itself (null). It
 * replaces the owner's earlier request for these rates; a null rate withdraws it.
 */
export interface LimitRequest {
  owner: string | null;
  rates: Partial<Rates>;
}

/** Returns the id of the workflow that keeps a task queue's limits. */
export function limitsWorkflowId(taskQueue: string): string {
  return `durable-rag/limits/${taskQueue}`;
}

/** Requested limits without any request: an empty list for each rate. */
export const noLimits: RequestedLimits = { requestsPerMinute: [], tokensPerMinute: [] };

/**
 * Returns the requested limits after one more request, which replaces its owner's earlier one for
 * the rates that it names; a null rate only withdraws the earlier one.
 *
 * @param since Time of the request, in milliseconds since 1970.
 */
export function withRequest(
  asked: RequestedLimits,
  { owner, rates }: LimitRequest,
  since: number,
): RequestedLimits {
  return mapped(asked, (limits, rate) => {
    const perMinute = rates[rate];
    if (perMinute === undefined) return limits;
    const others = limits.filter((limit) => limit.owner !== owner);
    return perMinute === null ? others : [...others, { perMinute, owner, since }];
  });
}

/**
 * Returns the requested limits without those of the given owners. Limits of the queue itself stay.
 *
 * @param owners Workflow ids of runs.
 */
export function withoutOwners(asked: RequestedLimits, owners: readonly string[]): RequestedLimits {
  return mapped(asked, (limits) =>
    limits.filter(({ owner }) => owner === null || !owners.includes(owner)),
  );
}

/**
 * Returns the workflow ids of the runs that request limits, each once. The queue itself is not
 * among them.
 */
export function ownersOf(asked: RequestedLimits): string[] {
  const owners = RATES.flatMap((rate) => asked[rate].flatMap(({ owner }) => owner ?? []));
  return [...new Set(owners)];
}

/**
 * Returns which rates, "requestsPerMinute" or "tokensPerMinute", at least one of these runs
 * limits.
 *
 * @param owners Workflow ids of runs.
 */
export function limitedRates(asked: RequestedLimits, owners: readonly string[]): Rate[] {
  const isTheirs = ({ owner }: Limit) => owner !== null && owners.includes(owner);
  return RATES.filter((rate) => asked[rate].some(isTheirs));
}

/**
 * Returns the limits in force: for each rate, the limit that was requested last; a rate without a
 * limit is left out.
 */
export function limitsInForce(asked: RequestedLimits): LimitsInForce {
  const last = RATES.flatMap((rate) => {
    const limit = asked[rate].at(-1);
    return limit ? [[rate, limit]] : [];
  });
  return Object.fromEntries(last);
}

function mapped(
  asked: RequestedLimits,
  change: (limits: Limit[], rate: Rate) => Limit[],
): RequestedLimits {
  return {
    requestsPerMinute: change(asked.requestsPerMinute, 'requestsPerMinute'),
    tokensPerMinute: change(asked.tokensPerMinute, 'tokensPerMinute'),
  };
}
