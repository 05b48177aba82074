/** Requests that wait for a batch, and who waits for them: kept by a store that all workers share. */
import { z } from 'zod';
import { jsonIn } from '../../core/canonical-json.js';
import { sha256Of } from '../../core/sha256.js';
import type { CompletionRequest } from '../../llm/language-model.js';
import type { SentCall } from '../../steps/call.js';
import type { KeyValueStore, StoredEntry } from '../../stores/key-value-store.js';

const request = z.object({
  model: z.string(),
  messages: z.array(
    z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }),
  ),
  temperature: z.number(),
  topP: z.number().optional(),
  maxTokens: z.number(),
  thinks: z.literal(true).optional(),
  seed: z.number().optional(),
  logprobs: z.literal(true).optional(),
}) as z.ZodType<CompletionRequest>;

const pooled = z.object({
  /** Names it in a batch: 64 hexadecimal digits. */
  id: z.string(),
  /** Under which its response is kept. */
  key: z.string(),
  /** The activity that asked for it first, which is the one that pays. */
  origin: z.string(),
  request,
  /** How often a batch ended without an answer to it that was not the batch's own end. */
  troubles: z.number(),
  /** The batch that the last of them was counted for. */
  countedIn: z.string().nullable(),
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
  call: z.custom<SentCall>((value) => typeof value === 'object' && value !== null),
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
  /** Parameters that its lines leave out. */
  without: z.array(z.string()),
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

/** Each is undefined for a record that is not there, is damaged, or is of another version. */
export const readPooled = reader(pooled);
export const readWaiter = reader(waiter);
export const readPlanned = reader(planned);

function reader<T>(schema: z.ZodType<T>): (text: string | undefined) => T | undefined {
  return (text) => schema.safeParse(jsonIn(text)).data;
}

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
