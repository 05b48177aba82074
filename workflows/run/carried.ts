import type { WaitingQuestion } from './run-pauses.js';

/**
 * A question of a run that has begun and not ended, with the time of its beginning in milliseconds
 * since 1970.
 */
export interface InFlightQuestion extends WaitingQuestion {
  /** Time of its start, in milliseconds since 1970. */
  startedAt: number;
}

/**
 * The state of one shard, carried from one history to the next: its id, the number of questions
 * that it was given, and how many of them have not ended.
 */
export interface ShardState {
  /** Workflow id. */
  id: string;
  /** Number of questions given to it, ended or not. */
  given: number;
  /** Number of these that have not ended. */
  open: number;
}

/**
 * The state of all shards of a run (the workflows that ask parts of its questions), carried from
 * one history to the next.
 */
export interface ShardsState {
  /** Number of shards made so far. */
  made: number;
  /** Maximum number of questions under way in each shard. */
  places: number;
  shards: ShardState[];
}

/**
 * The questions under way, or else the shards that ask them, as carried from one history to the
 * next.
 */
export interface CarriedWindow {
  underWay?: InFlightQuestion[];
  shards?: ShardsState;
}

/**
 * Maximum number of characters carried, since Temporal allows 2 MB for the input of a new history.
 */
const MOST_CHARACTERS_CARRIED = 500_000;

/**
 * Returns whether a state is small enough for the input of a new history: at most 500,000
 * characters of JSON.
 */
export function canBeCarried(carried: unknown): boolean {
  return JSON.stringify(carried).length <= MOST_CHARACTERS_CARRIED;
}
