/** Calls that were made again though their answer had come: which of them nobody could have helped. */
import type { Disturbed } from './disturbances.js';
import type { Repeated } from './fault-model.js';

/** How long after an answer has gone out the worker may not have kept it yet, on a busy machine. */
const NOT_YET_KEPT_MS = 3_000;

/** Sorts them by what happened around the answers that were not the last. */
export function sortRepeats(repeated: readonly Repeated[], log: readonly Disturbed[]) {
  /** The worker died between receiving the answer and keeping it. */
  const inFlightAtKill: Repeated[] = [];
  /** The worker was suspended when the answer came. */
  const whileSuspended: Repeated[] = [];
  /** Paid for twice for nothing, with what went wrong from the first answer to the last. */
  const unexplained: (Repeated & { around: string[] })[] = [];
  const kills = log.filter(({ name }) => /^kill (worker|store)/.test(name));
  const suspended = log.filter(({ name }) => name.startsWith('suspend'));
  for (const one of repeated) {
    const lost = one.times.slice(0, -1);
    const wasKilled = (time: number) =>
      kills.some(({ name, from, to }) => {
        // A worker dies at some time of its kill; a store is away to its end.
        const latest = name.startsWith('kill worker') ? to : from;
        return latest >= time - 100 && from <= time + NOT_YET_KEPT_MS;
      });
    const wasSuspended = (time: number) =>
      suspended.some(({ from, to }) => time >= from - NOT_YET_KEPT_MS && time <= to);
    if (lost.every(wasKilled)) inFlightAtKill.push(one);
    else if (lost.every((time) => wasKilled(time) || wasSuspended(time))) {
      whileSuspended.push(one);
    } else unexplained.push({ ...one, around: around(one, log) });
  }
  return { inFlightAtKill, whileSuspended, unexplained };
}

/** "kill store 1200 to 3400", in milliseconds after the first answer. */
function around({ times }: Repeated, log: readonly Disturbed[]): string[] {
  const [first, last] = [Math.min(...times), Math.max(...times)];
  return log
    .filter(({ from, to }) => to >= first - 10_000 && from <= last)
    .map(({ name, from, to }) => `${name} ${from - first} to ${to - first}`);
}
