/** The state of a batch collector, and the rules by which it changes. Pure. */
import { mergeRefused, type RefusedPart } from '../../llm/batch-endpoint.js';
import type { DeliveryCounts, GatheredBatch } from '../activities/provider-batches.js';

/**
 * A batch that has not ended: its number, how many requests it has, its size in bytes, when it was
 * planned and created, and the provider's ids of its file and of itself.
 */
export interface OpenBatch extends GatheredBatch {
  /** Time at which it was planned, in milliseconds since 1970. */
  since: number;
  /** The provider's id of its file; undefined until it is uploaded. */
  file?: string;
  /** The provider's id of the batch; undefined until it is created. */
  id?: string;
  /** Time at which it was created, in milliseconds since 1970; undefined before. */
  madeAt?: number;
}

/**
 * State of a batch collector (the workflow that sends waiting model calls in batches of the
 * provider), carried from one history to the next: the batches that have not ended, counts over
 * those that have, and what limits the next one.
 */
export interface CollectorState {
  /** Number that the next plan gets. */
  next: number;
  /** Batches that have not ended. */
  open: OpenBatch[];
  /** Number of batches that have ended. */
  ended: number;
  /** Number of requests in ended batches. */
  requests: number;
  /** Number of these requests that were answered. */
  answered: number;
  /** Durations of the last batches, in seconds, the latest last. */
  tookSeconds: number[];
  /** Parameters that the model refuses. */
  without: RefusedPart[];
  /** Maximum number of tokens that may be under way; null if the provider named no limit. */
  mostTokens: number | null;
  /** Earliest time of the next batch, in milliseconds since 1970. */
  notBefore: number;
}

/**
 * The progress of a batch collector: its state, with the pool (of model calls that wait for a
 * batch) and the model that it is for.
 */
export interface BatchesProgress extends CollectorState {
  pool: string;
  model: string;
}

/** Number of batches whose durations are kept. */
const REMEMBERED = 20;

/** Pause after a refusal for too many tokens: about the time until some of them are done. */
const LATER_MS = 60_000;

/**
 * Returns the first state of a collector, which gathers waiting model requests into batches of the
 * provider: without any batch.
 */
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

/**
 * Returns the state of a collector of model requests after one of its batches has ended.
 *
 * @param now Time in milliseconds since 1970.
 */
export function afterBatch(
  state: CollectorState,
  batch: OpenBatch,
  { answered, refused, tooMuch }: Pick<DeliveryCounts, 'answered' | 'refused' | 'tooMuch'>,
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
    without: mergeRefused(state.without, refused),
    mostTokens: tooMuch ? underWay(open) + halfOf(bytes) : more(state.mostTokens),
    notBefore: tooMuch ? now + Math.min(LATER_MS, waitSeconds * 1000) : state.notBefore,
  };
}

/**
 * Returns the number of tokens that the next batch may add to those under way, 0 or more; null if
 * unlimited. If nothing is under way, a batch gets at least one request in any case.
 */
export function freeTokens({ mostTokens, open }: CollectorState): number | null {
  return mostTokens === null ? null : Math.max(0, mostTokens - underWay(open));
}

/** Estimates the tokens of the requests in batches. */
function underWay(batches: readonly OpenBatch[]): number {
  return batches.reduce((sum, { bytes }) => sum + tokensInBytes(bytes), 0);
}

/**
 * Returns an estimate of the number of tokens in prompts of this many bytes: a quarter, rounded up.
 */
export function tokensInBytes(bytes: number): number {
  return Math.ceil(bytes / 4);
}

function halfOf(bytes: number): number {
  return Math.max(1, Math.floor(tokensInBytes(bytes) / 2));
}

/** Returns a slightly larger limit of tokens, after a batch that was accepted. */
function more(mostTokens: number | null): number | null {
  return mostTokens === null ? null : Math.ceil(mostTokens * 1.25);
}

const SHORTEST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15 * 60_000;
/**
 * The pause between checks is the age of a batch divided by this, so that its end is noticed within
 * a fifth of its time.
 */
const SHARE = 5;

/**
 * Returns the pause before the next check of a batch, in milliseconds. It grows with the batch's
 * age up to 15 minutes.
 *
 * @param now Time in milliseconds since 1970.
 */
export function pauseAfter({ since, madeAt = since, waitSeconds }: OpenBatch, now: number): number {
  const shortest = Math.max(SHORTEST_PAUSE_MS, Math.min(30, waitSeconds / 4) * 1000);
  return Math.round(Math.min(Math.max((now - madeAt) / SHARE, shortest), LONGEST_PAUSE_MS));
}

/**
 * Returns the expected end of a batch, in milliseconds since 1970: its creation and the median
 * duration. Null if it is not created or no duration is known.
 *
 * @param tookSeconds Durations of earlier batches, in seconds.
 */
export function expectedEnd({ madeAt }: OpenBatch, tookSeconds: readonly number[]): number | null {
  const sorted = [...tookSeconds].sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  return madeAt === undefined || median === undefined ? null : madeAt + median * 1000;
}
