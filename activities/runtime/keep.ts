/** Keeping what was paid for, though the store cannot be written for a while. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../core/failure.js';
import type { Estimated } from '../../core/usage.js';
import { type Keeping, unwritable, type Values } from '../../llm/keeping.js';
import type { Paid } from '../../llm/language-model.js';
import type { CacheEntry } from '../../llm/response-cache.js';
import { mayBeBilled } from './estimate-loss.js';

/** A response that was paid for and may not be in the store yet. JSON-safe. */
export interface Unkept {
  key: string;
  entry: CacheEntry;
}

/** The same of vectors or scores, by key. JSON-safe. */
export interface UnkeptValues {
  values: Values;
  paid: Paid;
}

/** What an earlier attempt has left, and how this one leaves something. */
interface Carried {
  unkeptValues?: UnkeptValues | undefined;
  carryValues(unkept: UnkeptValues): void;
  /** Counts what a request without an answer may have cost. */
  spend(estimated: Estimated): void;
}

interface KeptAsking<T> {
  /** Asks for what the store does not have, and hands what it paid for to `keeping`. */
  ask(keeping: Keeping): Promise<T>;
  store(values: Values): Promise<void>;
  /** What a request of these texts costs at the most. */
  loss(texts: readonly string[]): Estimated;
}

/** Between two writes. */
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;

/**
 * Keeps what was paid for, and tries for as long as the attempt may live.
 *
 * @param carry Hands it to the next attempt of the activity, on whichever worker.
 * @throws Failure StoreUnwritable when the signal fires first.
 */
export async function keep<T>(
  write: () => Promise<T>,
  carry: () => void,
  signal: AbortSignal,
): Promise<T> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      return await write();
    } catch (error) {
      // A store that breaks its port does so again.
      if (error instanceof Failure && error.type === 'Incompatible') throw error;
      carry();
      await sleep(wait, undefined, { signal }).catch(() => {
        throw unwritable('A response that was paid for cannot be kept', error);
      });
    }
  }
}

/** What the server takes in a heartbeat has a limit; more than this stays with the attempt. */
const CARRIED_CHARACTERS = 500_000;

/**
 * Asks for what is kept as values by key, and keeps it. A request without an answer that may be
 * billed is counted as one of a language model is.
 *
 * @returns what was asked for, and what an earlier attempt of the activity has paid for it.
 */
export async function askKept<T>(
  { ask, store, loss }: KeptAsking<T>,
  { unkeptValues: before, carryValues, spend }: Carried,
  signal: AbortSignal,
): Promise<{ answer: T; paid: Paid | undefined }> {
  const keepValues = (unkept: UnkeptValues) => {
    const isShort = JSON.stringify(unkept.values).length <= CARRIED_CHARACTERS;
    const carry = () => (isShort ? carryValues(unkept) : undefined);
    return keep(() => store(unkept.values), carry, signal);
  };
  if (before) await keepValues(before);
  const answer = await ask({
    keep: (values, paid) => keepValues({ values, paid }),
    failed(texts, error) {
      if (mayBeBilled(error)) spend(loss(texts));
    },
  });
  return { answer, paid: before?.paid };
}
