import type { WaitingQuestion } from './run-pauses.js';

export interface InFlightQuestion extends WaitingQuestion {
  /** When it began, in milliseconds since 1970. */
  startedAt: number;
}

/** A shard, as carried from one history to the next. */
export interface ShardStanding {
  id: string;
  /** Questions given to it, ended or not. */
  given: number;
  /** Questions of it that have not ended. */
  open: number;
}

/** All shards, as carried from one history to the next. */
export interface ShardsStanding {
  /** Shards made so far. */
  made: number;
  /** Most questions under way in each shard. */
  places: number;
  shards: ShardStanding[];
}

/** Questions under way, or the shards that have them. */
export interface CarriedWindow {
  underWay?: InFlightQuestion[];
  shards?: ShardsStanding;
}

/** Most characters carried, since Temporal allows 2 MB for the input of a new history. */
const MOST_CHARACTERS_CARRIED = 500_000;

/** Tells whether a new history can be started with this state. */
export function canBeCarried(carried: unknown): boolean {
  return JSON.stringify(carried).length <= MOST_CHARACTERS_CARRIED;
}
