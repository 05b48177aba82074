/** What a collector of batches remembers, and how it goes on. Pure. */
import { type Refused, withRefused } from '../../llm/batch-endpoint.js';
import type { Gathered, Taken } from '../activities/provider-batches.js';

/** A batch that is not over; its number names its plan. */
export interface OpenBatch extends Gathered {
  /** When it was decided on, in milliseconds since 1970. */
  since: number;
  /** The provider's names, as far as there are any. */
  file?: string;
  id?: string;
  madeAt?: number;
}

export interface CollectorState {
  next: number;
  open: OpenBatch[];
  /** Batches that are over, and the requests that were in them. */
  ended: number;
  requests: number;
  answered: number;
  /** How long the last of them took, in seconds, the latest last. */
  tookSeconds: number[];
  /** What the model refuses. */
  without: Refused[];
  /** Tokens that may be under way, as far as the provider has said. */
  mostTokens: number | null;
  /** No batch is made before, in milliseconds since 1970. */
  notBefore: number;
}

/** The answer to the query "progress". */
export interface BatchesProgress extends CollectorState {
  pool: string;
  model: string;
}

const REMEMBERED = 20;

/** After too much was under way: as long as it may take until something of it is over. */
const LATER_MS = 60_000;

export function newCollector(): CollectorState {
  return {
    next: 0,
    open: [],
    ended: 0,
    requests: 0,
    answered: 0,
    tookSeconds: [],
    without: [],
    mostTokens: null,
    notBefore: 0,
  };
}

/** Returns the state when a batch is over. */
export function afterBatch(
  state: CollectorState,
  batch: OpenBatch,
  { answered, refused, tooMuch }: Pick<Taken, 'answered' | 'refused' | 'tooMuch'>,
  now: number,
): CollectorState {
  const { madeAt = now, bytes, requests, waitSeconds } = batch;
  const took = tooMuch ? [] : [Math.round((now - madeAt) / 1000)];
  const open = state.open.filter(({ number }) => number !== batch.number);
  return {
    ...state,
    open,
    ended: state.ended + 1,
    requests: state.requests + requests,
    answered: state.answered + answered,
    tookSeconds: [...state.tookSeconds, ...took].slice(-REMEMBERED),
    without: withRefused(state.without, refused),
    mostTokens: tooMuch ? underWay(open) + halfOf(bytes) : more(state.mostTokens),
    notBefore: tooMuch ? now + Math.min(LATER_MS, waitSeconds * 1000) : state.notBefore,
  };
}

/**
 * Tokens that the next batch may have, beside those under way; null for as many as there are. It has
 * one request at least where nothing else is under way.
 */
export function roomFor({ mostTokens, open }: CollectorState): number | null {
  return mostTokens === null ? null : Math.max(0, mostTokens - underWay(open));
}

/** About how many tokens the requests of batches have. */
function underWay(batches: readonly OpenBatch[]): number {
  return batches.reduce((sum, { bytes }) => sum + tokensOf(bytes), 0);
}

/** About how many tokens the prompts of so many bytes have: four bytes each. */
export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / 4);
}

function halfOf(bytes: number): number {
  return Math.max(1, Math.floor(tokensOf(bytes) / 2));
}

/** Returns a slightly larger bound, after a batch that went well. */
function more(mostTokens: number | null): number | null {
  return mostTokens === null ? null : Math.ceil(mostTokens * 1.25);
}

const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15 * 60_000;
/** So a batch is known to be over within a fifth of the time that it took. */
const SHARE = 5;

/** Returns how long to wait before the next look at a batch: the longer it takes, the longer. */
export function pauseAfter({ since, madeAt = since, waitSeconds }: OpenBatch, now: number): number {
  const shortest = Math.max(SHORTEST_PAUSE_MS, Math.min(30, waitSeconds / 4) * 1000);
  return Math.round(Math.min(Math.max((now - madeAt) / SHARE, shortest), LONGEST_PAUSE_MS));
}

/** When a batch can be expected to be over, by the median seen, in milliseconds since 1970. */
export function expectedEnd({ madeAt }: OpenBatch, tookSeconds: readonly number[]): number | null {
  const sorted = [...tookSeconds].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  return madeAt === undefined || median === undefined ? null : madeAt + median * 1000;
}
