/** The limits of a task queue's model calls, who asked for them, and since when. Pure. */

/**
 * Limits per minute. Null means no limit; tokens may still be limited by the configuration of a
 * worker.
 */
export interface Rates {
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
}

/** What a task queue limits: requests or tokens a minute. */
export type Rate = keyof Rates;

/** All rates that a task queue can limit. */
export const RATES: readonly Rate[] = ['requestsPerMinute', 'tokensPerMinute'];

interface Limit {
  perMinute: number;
  /** Workflow id of the run that asked for it; null if it was set for the queue itself. */
  owner: string | null;
  /** When it was asked for, in milliseconds since 1970. */
  since: number;
}

/** All limits that are asked for, by rate, in the order in which they were asked for. */
export type Asked = Record<Rate, Limit[]>;

/** The limits that apply now, by rate; a rate without a limit is left out. */
export type LimitsInForce = Partial<Record<Rate, Limit>>;

/** What an owner asks for from now on; null withdraws its earlier request. */
export interface Asking {
  owner: string | null;
  rates: Partial<Rates>;
}

/** Returns the id of the workflow that keeps a queue's limits. */
export function limitsWorkflowId(taskQueue: string): string {
  return `durable-rag/limits/${taskQueue}`;
}

/** The state in which no limit is asked for. */
export const nothingAsked: Asked = { requestsPerMinute: [], tokensPerMinute: [] };

/**
 * Returns the limits after a request of an owner, which replaces its earlier one.
 *
 * @param since When it was asked for, in milliseconds since 1970.
 */
export function ask(asked: Asked, { owner, rates }: Asking, since: number): Asked {
  return mapped(asked, (limits, rate) => {
    const perMinute = rates[rate];
    if (perMinute === undefined) return limits;
    const others = limits.filter((limit) => limit.owner !== owner);
    return perMinute === null ? others : [...others, { perMinute, owner, since }];
  });
}

/** Returns the limits without those of some owners. */
export function without(asked: Asked, owners: readonly string[]): Asked {
  return mapped(asked, (limits) =>
    limits.filter(({ owner }) => owner === null || !owners.includes(owner)),
  );
}

/** Returns the workflow ids of the runs that ask for limits, each once. */
export function ownersOf(asked: Asked): string[] {
  const owners = RATES.flatMap((rate) => asked[rate].flatMap(({ owner }) => owner ?? []));
  return [...new Set(owners)];
}

/** Returns the rates for which any of these owners asks for a limit. */
export function ratesOf(asked: Asked, owners: readonly string[]): Rate[] {
  const isTheirs = ({ owner }: Limit) => owner !== null && owners.includes(owner);
  return RATES.filter((rate) => asked[rate].some(isTheirs));
}

/** Returns the limits in force: for each rate, the one that was asked for last. */
export function inForce(asked: Asked): LimitsInForce {
  const last = RATES.flatMap((rate) => {
    const limit = asked[rate].at(-1);
    return limit ? [[rate, limit]] : [];
  });
  return Object.fromEntries(last);
}

function mapped(asked: Asked, change: (limits: Limit[], rate: Rate) => Limit[]): Asked {
  return {
    requestsPerMinute: change(asked.requestsPerMinute, 'requestsPerMinute'),
    tokensPerMinute: change(asked.tokensPerMinute, 'tokensPerMinute'),
  };
}
