/** What the model calls of a task queue are held to, who asked for it, and since when. Pure. */

/** Null is no limit; for tokens, none beyond what each worker is set up with. */
export interface Rates {
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
}

/** What a task queue limits: requests or tokens a minute. */
export type Rate = keyof Rates;

export const RATES: readonly Rate[] = ['requestsPerMinute', 'tokensPerMinute'];

export interface Limit {
  perMinute: number;
  /** Workflow id of the run that asked for it; null where it was set for the queue itself. */
  owner: string | null;
  /** Milliseconds since 1970. */
  since: number;
}

/** By rate, in the order in which they were asked for. */
export type Asked = Record<Rate, Limit[]>;

/** By rate; left out where there is none. */
export type LimitsInForce = Partial<Record<Rate, Limit>>;

/** What an owner asks for from now on; null takes back what it has asked for. */
export interface Asking {
  owner: string | null;
  rates: Partial<Rates>;
}

/** Returns the id of the workflow that keeps a queue's limits while there are any. */
export function limitsWorkflowId(taskQueue: string): string {
  return `durable-rag/limits/${taskQueue}`;
}

export const nothingAsked: Asked = { requestsPerMinute: [], tokensPerMinute: [] };

export function ask(asked: Asked, { owner, rates }: Asking, since: number): Asked {
  return mapped(asked, (limits, rate) => {
    const perMinute = rates[rate];
    if (perMinute === undefined) return limits;
    const others = limits.filter((limit) => limit.owner !== owner);
    return perMinute === null ? others : [...others, { perMinute, owner, since }];
  });
}

/** Without what was asked for by these. */
export function without(asked: Asked, owners: readonly string[]): Asked {
  return mapped(asked, (limits) =>
    limits.filter(({ owner }) => owner === null || !owners.includes(owner)),
  );
}

export function ownersOf(asked: Asked): string[] {
  const owners = RATES.flatMap((rate) => asked[rate].flatMap(({ owner }) => owner ?? []));
  return [...new Set(owners)];
}

export function ratesOf(asked: Asked, owners: readonly string[]): Rate[] {
  const isTheirs = ({ owner }: Limit) => owner !== null && owners.includes(owner);
  return RATES.filter((rate) => asked[rate].some(isTheirs));
}

/** Returns the limits in force: the last one asked for counts. */
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
