/** Requests that wait for a batch, and who waits for them: kept by a store that all workers share. */
import { z } from 'zod';
import { jsonIn } from '../../core/canonical-json.js';
import { isObject } from '../../core/is-object.js';
import { sha256Of } from '../../core/sha256.js';
import { estimated } from '../../llm/cache-entry.js';
import type { CompletionRequest } from '../../llm/language-model.js';
import type { SentCall } from '../../steps/call.js';
import type { KeyValueStore } from '../../stores/key-value-store.js';

/** Of types that have no schema: all that is in them is kept. */
const whole = <T extends object>() => z.custom<T>(isObject);

const pooled = z.object({
  /** Names it in a batch: 64 hexadecimal digits. */
  id: z.string(),
  /** Under which its response is kept. */
  key: z.string(),
  /** The activity that asked for it first, which is the one that pays. */
  origin: z.string(),
  /** The run of that activity, or its workflow. */
  run: z.string(),
  request: whole<CompletionRequest>(),
  /** How often a batch ended without an answer to it that was not the batch's own end. */
  troubles: z.number(),
  /** The batch that the last of them was counted for. */
  countedIn: z.string().nullable(),
  /** What answers took that could not be used. */
  spent: estimated.optional(),
});

const waiter = z.object({
  workflowId: z.string(),
  runId: z.string(),
  activityId: z.string(),
  origin: z.string(),
  /** The activity's name. */
  step: z.string(),
  /** The type of its workflow. */
  method: z.string().optional(),
  attempt: z.number(),
  /** That attempt's span, where there are traces. */
  span: z.string().optional(),
  input: z.unknown(),
  call: whole<SentCall>(),
  /** Hash of the prompt. */
  prompt: z.string(),
  waitSeconds: z.number(),
  size: z.number(),
  patienceSeconds: z.number(),
  heartbeatSeconds: z.number(),
  /** When the activity was scheduled, in milliseconds since 1970. */
  since: z.number(),
});

const planned = z.object({
  /** Finds it at the provider. */
  mark: z.string(),
  ids: z.array(z.string()),
  /** What its lines leave out, and the limit that they keep to. */
  without: z.array(z.union([z.string(), z.object({ most: z.number() })])),
  /** Of its file. */
  bytes: z.number(),
  /** When it was decided on, in milliseconds since 1970. */
  at: z.number(),
});

/** A request in the pool; several activities may wait for it. */
export type PooledRequest = z.infer<typeof pooled>;
/** An activity that has given its slot back and waits for a response. */
export type Waiter = z.infer<typeof waiter>;
/** A batch that was decided on: what goes into it, in order. */
export type PlannedBatch = z.infer<typeof planned>;

/** A request or a waiter as the store lists it, without its text. */
export interface Listed {
  id: string;
  /** Of its text. */
  bytes: number;
  /** When it was written, in milliseconds since 1970. */
  at: number;
}

/** Records of one kind, by their pool and by a name in it. */
class Records<T> {
  constructor(
    private readonly store: KeyValueStore,
    private readonly kind: string,
    private readonly schema: z.ZodType<T>,
  ) {}

  /** Gives none for a record that is not there, is damaged, or is of another version. */
  async get(pool: string, name: string | number): Promise<T | undefined> {
    return this.schema.safeParse(jsonIn(await this.store.get(this.key(pool, name)))).data;
  }

  async set(pool: string, name: string, record: T): Promise<void> {
    await this.store.set(this.key(pool, name), JSON.stringify(record));
  }

  /** Writes it, and gives false where there is one of this name. */
  add(pool: string, name: string | number, record: T): Promise<boolean> {
    return this.store.setIfAbsent(this.key(pool, name), JSON.stringify(record));
  }

  async drop(pool: string, name: string | number): Promise<void> {
    await this.store.delete(this.key(pool, name));
  }

  async list(pool: string): Promise<Listed[]> {
    const prefix = this.key(pool, '');
    const listed: Listed[] = [];
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
 * One pool for each endpoint and model.
 *
 * A request stays until its last waiter has its answer. A plan is written before its batch is made,
 * and stays until all of its answers are given. So another worker can go on where one was killed.
 */
export class RequestPool {
  /** By id, those in batches included. */
  readonly requests: Records<PooledRequest>;
  /** By names that begin with the ids of their requests. */
  readonly waiters: Records<Waiter>;
  /** By number, those whose batches are not over. */
  readonly plans: Records<PlannedBatch>;

  constructor(private readonly store: KeyValueStore) {
    this.requests = new Records(store, 'q', pooled);
    this.waiters = new Records(store, 'w', waiter);
    this.plans = new Records(store, 'b', planned);
  }

  /**
   * Puts a waiter for a request into the pool, and the request where it is not there.
   *
   * Writes the waiter first, since a request without one is dropped.
   */
  async put(pool: string, request: PooledRequest, waiter: Waiter): Promise<void> {
    await this.waiters.set(pool, nameOf(request.id, waiter), waiter);
    await this.requests.add(pool, request.id, request);
  }

  async waiterNamesById(pool: string): Promise<Map<string, string[]>> {
    const byId = new Map<string, string[]>();
    for (const { id: name } of await this.waiters.list(pool)) {
      byId.set(idOf(name), [...(byId.get(idOf(name)) ?? []), name]);
    }
    return byId;
  }

  async planNumbers(pool: string): Promise<number[]> {
    return (await this.plans.list(pool)).map(({ id }) => Number(id)).sort((a, b) => a - b);
  }

  /** Writes down which attempt makes the batch of a plan, or which batch it has made. */
  async claim(pool: string, number: number, attempt: string): Promise<void> {
    await this.store.set(claimKey(pool, number), attempt);
  }

  claimant(pool: string, number: number): Promise<string | undefined> {
    return this.store.get(claimKey(pool, number));
  }

  async dropPlan(pool: string, number: number): Promise<void> {
    await this.plans.drop(pool, number);
    await this.store.delete(claimKey(pool, number));
  }
}

/** Names the pool of an endpoint and model: readable, and at most 60 characters. */
export function poolOf(provider: string, model: string): string {
  const readable = model.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 40);
  return `${readable}-${sha256Of(JSON.stringify([provider, model]), 12)}`;
}

/** Returns the id of a waiter's request; of its own where it may share no answer. */
export function requestId(key: string, origin: string, isShared: boolean): string {
  return sha256Of(isShared ? key : `${key} ${origin}`);
}

/** Returns the name of a waiter, which begins with the id of its request. */
export function nameOf(id: string, { origin }: Waiter): string {
  return `${id}/${sha256Of(origin, 24)}`;
}

/** Returns the id of the request that a waiter of this name waits for. */
export function idOf(name: string): string {
  return name.slice(0, name.indexOf('/'));
}

function claimKey(pool: string, number: number): string {
  return `c/${pool}/${number}`;
}
