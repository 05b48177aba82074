/** The pool of requests that wait for a batch: kept by a store that all workers share. */
import { sha256Of } from '../../core/sha256.js';
import type { KeyValueStore, StoredEntry } from '../../stores/key-value-store.js';
import {
  type PlannedBatch,
  type PooledRequest,
  readPlanned,
  readPooled,
  readWaiter,
  type Waiter,
} from './records.js';

/** A request or a waiter as the store lists it, without its text. */
export interface Listed {
  id: string;
  /** Of its text. */
  bytes: number;
  /** When it was written, in milliseconds since 1970. */
  at: number;
}

export interface NamedWaiter extends Waiter {
  name: string;
}

/**
 * One pool for each endpoint and model.
 *
 * A request stays until its last waiter has its answer. A plan is written before its batch is made,
 * and stays until all of its answers are given. So another worker can go on where one was killed.
 */
export class RequestPool {
  constructor(private readonly store: KeyValueStore) {}

  /**
   * Puts a waiter for a request into the pool, and the request where it is not there.
   *
   * Writes the waiter first, since a request without one is dropped.
   */
  async put(pool: string, request: PooledRequest, waiter: Waiter): Promise<void> {
    await this.store.set(waiterKey(pool, request.id, waiter), JSON.stringify(waiter));
    await this.store.setIfAbsent(requestKey(pool, request.id), JSON.stringify(request));
  }

  /** Every request, those in batches included. */
  requests(pool: string): Promise<Listed[]> {
    return this.listed(requestKey(pool, ''));
  }

  async request(pool: string, id: string): Promise<PooledRequest | undefined> {
    return readPooled(await this.store.get(requestKey(pool, id)));
  }

  /** Writes what has changed about a request that is in a batch. */
  async change(pool: string, request: PooledRequest): Promise<void> {
    await this.store.set(requestKey(pool, request.id), JSON.stringify(request));
  }

  async dropRequest(pool: string, id: string): Promise<void> {
    await this.store.delete(requestKey(pool, id));
  }

  async waiterNames(pool: string): Promise<string[]> {
    return (await this.listed(`w/${pool}/`)).map(({ id }) => id);
  }

  async waiterNamesById(pool: string): Promise<Map<string, string[]>> {
    const byId = new Map<string, string[]>();
    for (const name of await this.waiterNames(pool)) {
      byId.set(idOf(name), [...(byId.get(idOf(name)) ?? []), name]);
    }
    return byId;
  }

  async waiter(pool: string, name: string): Promise<NamedWaiter | undefined> {
    const found = readWaiter(await this.store.get(`w/${pool}/${name}`));
    return found && { ...found, name };
  }

  /** Those of these names that still wait. */
  async waiters(pool: string, names: readonly string[]): Promise<NamedWaiter[]> {
    const found = await Promise.all(names.map((name) => this.waiter(pool, name)));
    return found.filter((one) => one !== undefined);
  }

  async dropWaiter(pool: string, name: string): Promise<void> {
    await this.store.delete(`w/${pool}/${name}`);
  }

  /** Forgets a waiter who has found an answer elsewhere. */
  async withdraw(pool: string, id: string, waiter: Waiter): Promise<void> {
    await this.store.delete(waiterKey(pool, id, waiter));
  }

  /** Writes a plan under its number; false where there is one of that number. */
  plan(pool: string, number: number, planned: PlannedBatch): Promise<boolean> {
    return this.store.setIfAbsent(planKey(pool, number), JSON.stringify(planned));
  }

  async planned(pool: string, number: number): Promise<PlannedBatch | undefined> {
    return readPlanned(await this.store.get(planKey(pool, number)));
  }

  /** The numbers of the plans whose batches are not over. */
  async plans(pool: string): Promise<number[]> {
    return (await this.listed(`b/${pool}/`)).map(({ id }) => Number(id)).sort((a, b) => a - b);
  }

  /** Writes down which attempt makes the batch of a plan, or which batch it has made. */
  async claim(pool: string, number: number, attempt: string): Promise<void> {
    await this.store.set(claimKey(pool, number), attempt);
  }

  claimant(pool: string, number: number): Promise<string | undefined> {
    return this.store.get(claimKey(pool, number));
  }

  async dropPlan(pool: string, number: number): Promise<void> {
    await this.store.delete(planKey(pool, number));
    await this.store.delete(claimKey(pool, number));
  }

  private async listed(prefix: string): Promise<Listed[]> {
    const entries: StoredEntry[] = [];
    for await (const entry of this.store.list(prefix)) entries.push(entry);
    return entries.map(({ key, bytes, writtenAt }) => ({
      ...{ id: key.slice(prefix.length), bytes, at: writtenAt },
    }));
  }
}

/** Names the pool of an endpoint and model: readable, and at most 60 characters. */
export function poolOf(provider: string, model: string): string {
  const readable = model.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 40);
  return `${readable}-${sha256Of(JSON.stringify([provider, model]), 12)}`;
}

/** The id of a waiter's request; of its own where it may share no answer. */
export function requestId(key: string, origin: string, isShared: boolean): string {
  return sha256Of(isShared ? key : `${key} ${origin}`);
}

/** A waiter's name begins with the id of its request. */
export function idOf(name: string): string {
  return name.slice(0, name.indexOf('/'));
}

function requestKey(pool: string, id: string): string {
  return `q/${pool}/${id}`;
}

function waiterKey(pool: string, id: string, { origin }: Waiter): string {
  return `w/${pool}/${id}/${sha256Of(origin, 24)}`;
}

function planKey(pool: string, number: number): string {
  return `b/${pool}/${number}`;
}

function claimKey(pool: string, number: number): string {
  return `c/${pool}/${number}`;
}
