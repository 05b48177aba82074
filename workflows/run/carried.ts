import type { WaitingQuestion } from './run-pauses.js';

/** A question that has begun and not ended. */
export interface InFlightQuestion extends WaitingQuestion {
  /** When it began, in milliseconds since 1970. */
  startedAt: number;
}

/** The state of a shard that is carried from one history to the next. */
export interface ShardStanding {
  /** Workflow id. */
  id: string;
  /** Questions given to it, ended or not. */
  given: number;
  /** Questions of it that have not ended. */
  open: number;
}

/** The state of all shards that is carried from one history to the next. */
export interface ShardsStanding {
  /** Shards made so far. */
  made: number;
  /** Most questions under way in each shard. */
  places: number;
  shards: ShardStanding[];
}

/**
 * The questions under way, or the shards that have them, as carried from one history to the next.
 */
export interface CarriedWindow {
  underWay?: InFlightQuestion[];
  shards?: ShardsStanding;
}

/** Most characters carried, since Temporal allows 2 MB for the input of a new history. */
const MOST_CHARACTERS_CARRIED = 500_000;

/** Returns whether the state is small enough to be carried into a new history. */
export function canBeCarried(carried: unknown): boolean {
  return JSON.stringify(carried).length <= MOST_CHARACTERS_CARRIED;
}
