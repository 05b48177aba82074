import type { WaitingQuestion } from './held-back.js';

export interface InFlightQuestion extends WaitingQuestion {
  /** Milliseconds since 1970. */
  startedAt: number;
}

/** A shard, as it goes from one history to the next. */
export interface ShardStanding {
  id: string;
  /** Questions that it was given, ended or not. */
  given: number;
  /** Those that have not ended. */
  open: number;
}

/** All of them, as they go on. */
export interface ShardsStanding {
  /** How many there have been. */
  made: number;
  /** Questions that each may have under way. */
  places: number;
  shards: ShardStanding[];
}

/** Questions under way, or the shards that have them. */
export interface CarriedWindow {
  underWay?: InFlightQuestion[];
  shards?: ShardsStanding;
}

/** Temporal allows 2 MB for what a new history is started with. */
const MOST_CHARACTERS_CARRIED = 500_000;

/** Whether a new history can be started with it. */
export function canBeCarried(carried: unknown): boolean {
  return JSON.stringify(carried).length <= MOST_CHARACTERS_CARRIED;
}
