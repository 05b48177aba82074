/** Calls that were made again though their answer had come: which of them nobody could have helped. */
import type { Disturbed } from './disturbances.js';
import type { Repeated } from './fault-model.js';

/** How long after an answer has gone out the worker may not have kept it yet, on a busy machine. */
const NOT_YET_KEPT_MS = 3_000;

export interface Repeats {
  /** The worker died between receiving the answer and keeping it. */
  inFlightAtKill: Repeated[];
  /** The worker was suspended when the answer came. */
  whileSuspended: Repeated[];
  /** None of these: paid for twice for nothing. */
  unexplained: Repeated[];
}

/** Sorts them by what happened around the answers that were not the last. */
export function sortRepeats(repeated: readonly Repeated[], log: readonly Disturbed[]): Repeats {
  const sorted: Repeats = { inFlightAtKill: [], whileSuspended: [], unexplained: [] };
  const kills = log.filter(({ name }) => /^kill (worker|store)/.test(name));
  const suspended = log.filter(({ name }) => name.startsWith('suspend'));
  for (const one of repeated) {
    const lost = one.times.slice(0, -1);
    const wasKilled = (time: number) =>
      kills.some(({ from }) => from >= time - 100 && from <= time + NOT_YET_KEPT_MS);
    const wasSuspended = (time: number) =>
      suspended.some(({ from, to }) => time >= from - NOT_YET_KEPT_MS && time <= to);
    if (lost.every(wasKilled)) sorted.inFlightAtKill.push(one);
    else if (lost.every((time) => wasKilled(time) || wasSuspended(time))) {
      sorted.whileSuspended.push(one);
    } else sorted.unexplained.push(one);
  }
  return sorted;
}
