/**
 * Stores requests that wait for a provider batch and the activities that wait for them, in a store
 * that all workers share.
 */
import { z } from 'zod';
import { parseJson } from '../../core/canonical-json.js';
import { isObject } from '../../core/is-object.js';
import { sha256Of } from '../../core/sha256.js';
import { estimated } from '../../llm/cache-entry.js';
import type { CompletionRequest } from '../../llm/language-model.js';
import type { SentCall } from '../../steps/call.js';
import type { KeyValueStore } from '../../stores/key-value-store.js';

/** Returns a schema that accepts any object and checks none of its fields. */
const whole = <T extends object>() => z.custom<T>(isObject);

const pooled = z.object({
  /** Id of the request in a batch: 64 hexadecimal digits. */
  id: z.string(),
  /** Key of its response in the cache. */
  key: z.string(),
  /** Id of the activity that asked first, which is charged for the response. */
  origin: z.string(),
  /** The run of that activity, or the id of its workflow if it belongs to no run. */
  run: z.string(),
  request: whole<CompletionRequest>(),
  /**
   * Number of batches that ended without an answer to this request, except those that failed as a
   * whole.
   */
  troubles: z.number(),
  /** Mark of the batch that `troubles` was last increased for; null before the first. */
  countedIn: z.string().nullable(),
  /** Estimated usage and cost of answers that could not be used. */
  spent: estimated.optional(),
});

const waiter = z.object({
  workflowId: z.string(),
  runId: z.string(),
  activityId: z.string(),
  origin: z.string(),
  /** Name of the step's activity. */
  step: z.string(),
  /** Workflow type; undefined if not known. */
  method: z.string().optional(),
  attempt: z.number(),
  /** Trace context of that attempt; undefined without tracing. */
  span: z.record(z.string(), z.string()).optional(),
  input: z.unknown(),
  call: whole<SentCall>(),
  /** Hash of the prompt. */
  prompt: z.string(),
  /** Key of the text that the prompt ends in, for a step that continues a text. */
  promptEnd: z.string().nullable().optional(),
  /** Longest time to collect further requests before a batch is made, in seconds. */
  waitSeconds: z.number(),
  /** Number of waiting requests with which a batch is made at once. */
  size: z.number(),
  /** Time after which the activity makes the call itself, in seconds. */
  patienceSeconds: z.number(),
  /** Heartbeat timeout of the waiting activity, in seconds. */
  heartbeatSeconds: z.number(),
  /** Time at which the activity was scheduled, in milliseconds since 1970. */
  since: z.number(),
});

const planned = z.object({
  /** Mark by which the batch is found at the provider. */
  mark: z.string(),
  /** Ids of its requests, in order. */
  ids: z.array(z.string()),
  /** Parameters that its lines leave out; `most` is the token limit that they keep to. */
  without: z.array(z.union([z.string(), z.object({ most: z.number() })])),
  /** Size of its file, in bytes. */
  bytes: z.number(),
  /** Time at which it was planned, in milliseconds since 1970. */
  at: z.number(),
});

/**
 * A model call that waits in a pool for its response from a provider batch, whether it is in a
 * batch yet or not. Several activities may wait for its response.
 */
export type PooledRequest = z.infer<typeof pooled>;
/**
 * An activity that waits for the response to a pooled request without occupying a slot of its
 * worker: its ids at the Temporal server, its step's input, and how long it waits, in seconds.
 */
export type Waiter = z.infer<typeof waiter>;
/**
 * The plan of a provider batch: the ids of its requests, the parameters that their lines leave
 * out, the size of its file in bytes, the time of planning in milliseconds since 1970, and the
 * mark by which the batch is found at the provider.
 */
export type PlannedBatch = z.infer<typeof planned>;

/**
 * A stored request, waiter or plan as the store lists it, without its content: its id, its size in
 * bytes, and the time of writing in milliseconds since 1970.
 */
export interface ListedRecord {
  id: string;
  /** Size of its stored content, in bytes. */
  bytes: number;
  /** Time at which it was written, in milliseconds since 1970. */
  at: number;
}

/** Stored records of one kind, such as waiters, by the name of their pool and their own name. */
class Records<T> {
  constructor(
    private readonly store: KeyValueStore,
    private readonly kind: string,
    private readonly schema: z.ZodType<T>,
  ) {}

  /** Returns undefined for a record that is missing, damaged, or of another version. */
  async get(pool: string, name: string | number): Promise<T | undefined> {
    return this.schema.safeParse(parseJson(await this.store.get(this.key(pool, name)))).data;
  }

  async set(pool: string, name: string, record: T): Promise<void> {
    await this.store.set(this.key(pool, name), JSON.stringify(record));
  }

  /** Writes the record; returns false if there is already one of this name. */
  add(pool: string, name: string | number, record: T): Promise<boolean> {
    return this.store.setIfAbsent(this.key(pool, name), JSON.stringify(record));
  }

  async drop(pool: string, name: string | number): Promise<void> {
    await this.store.delete(this.key(pool, name));
  }

  async list(pool: string): Promise<ListedRecord[]> {
    const prefix = this.key(pool, '');
    const listed: ListedRecord[] = [];
    for await (const { key, bytes, writtenAt: at } of this.store.list(prefix)) {
      listed.push({ id: key.slice(prefix.length), bytes, at });
    }
    return listed;
  }

  private key(pool: string, name: string | number): string {
    return `${this.kind}/${pool}/${name}`;
  }
}

/**
 * The pools of model calls that wait for provider batches: their requests, the activities that
 * wait for them, and the plans of batches. There is one pool for each endpoint and model.
 *
 * A request stays until its last waiter has its answer. A plan is written before its batch is made
 * and stays until all answers are delivered, so that another worker can take over from one that
 * was killed.
 */
export class RequestPool {
  /** Requests by id, those in batches included. */
  readonly requests: Records<PooledRequest>;
  /** Waiters by name, which begins with the id of the request. */
  readonly waiters: Records<Waiter>;
  /** Plans by number, of the batches that are not over. */
  readonly plans: Records<PlannedBatch>;

  constructor(private readonly store: KeyValueStore) {
    this.requests = new Records(store, 'q', pooled);
    this.waiters = new Records(store, 'w', waiter);
    this.plans = new Records(store, 'b', planned);
  }

  /**
   * Puts a waiter into the pool, and its request unless it is already there.
   *
   * Writes the waiter first, since a request without one is dropped.
   */
  async put(pool: string, request: PooledRequest, waiter: Waiter): Promise<void> {
    await this.waiters.set(pool, waiterNameOf(request.id, waiter), waiter);
    await this.requests.add(pool, request.id, request);
  }

  /** Returns the names of waiters by the id of their request. */
  async waiterNamesById(pool: string): Promise<Map<string, string[]>> {
    const byId = new Map<string, string[]>();
    for (const { id: name } of await this.waiters.list(pool)) {
      byId.set(requestIdOf(name), [...(byId.get(requestIdOf(name)) ?? []), name]);
    }
    return byId;
  }

  /** Returns the numbers of the plans, ascending. */
  async planNumbers(pool: string): Promise<number[]> {
    return (await this.plans.list(pool)).map(({ id }) => Number(id)).sort((a, b) => a - b);
  }

  /** Records which attempt creates the batch of a plan, or the id of the batch that it created. */
  async claim(pool: string, number: number, attempt: string): Promise<void> {
    await this.store.set(claimKey(pool, number), attempt);
  }

  /** Returns what `claim` recorded last for a plan; undefined if nothing was recorded. */
  claimant(pool: string, number: number): Promise<string | undefined> {
    return this.store.get(claimKey(pool, number));
  }

  /** Deletes a plan and its claim. */
  async dropPlan(pool: string, number: number): Promise<void> {
    await this.plans.drop(pool, number);
    await this.store.delete(claimKey(pool, number));
  }
}

/**
 * Returns the name of the pool for an endpoint and a model: the model's name and a hash, at most 60
 * characters.
 */
export function poolName(provider: string, model: string): string {
  const readable = model.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 40);
  return `${readable}-${sha256Of(JSON.stringify([provider, model]), 12)}`;
}

/**
 * Returns the id of a request: a hash of its cache key, or of the key and `origin` if it may not
 * share the response to an equal request.
 *
 * @param origin Id of the activity that asks.
 */
export function requestId(key: string, origin: string, isShared: boolean): string {
  return sha256Of(isShared ? key : `${key} ${origin}`);
}

/** Returns the name of a waiter: the id of its request, then a hash of its activity. */
export function waiterNameOf(id: string, { origin }: Waiter): string {
  return `${id}/${sha256Of(origin, 24)}`;
}

/**
 * Returns the id of the request for which an activity waits, from the waiter's name
 * (`waiterNameOf`).
 */
export function requestIdOf(name: string): string {
  return name.slice(0, name.indexOf('/'));
}

function claimKey(pool: string, number: number): string {
  return `c/${pool}/${number}`;
}
