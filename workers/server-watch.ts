import { succeeds } from '../core/failure.js';

/** Interval of the checks, in milliseconds. */
const EVERY_MS = 5_000;
/** Outage in milliseconds after which a warning is given; a restart of the server is shorter. */
const AWAY_MS = 10_000;

const OF_A_WORKER =
  'Running calls are finished and stored; nothing new begins until it is back. Nothing has to be done here.';

/**
 * The options of `watchServer`: the check of the server, and the function that it calls to warn.
 */
interface ServerWatchOptions {
  /** Rejects if the server does not answer. */
  ask(): Promise<unknown>;
  warn(message: string): void;
  /**
   * Text for the warning: what happens in the meantime, and what to do. @default text for a worker
   */
  meanwhile?: string;
  /** Interval of the checks, in milliseconds. @default 5000 */
  everyMs?: number;
  /** Outage in milliseconds after which a warning is given. @default 10000 */
  awayMs?: number;
}

/**
 * Checks every five seconds whether the Temporal server answers. Warns once it has been away for
 * ten seconds, and when it answers again. The SDK retries silently, which looks like a worker
 * without work, or a question that takes long.
 *
 * @returns A function that ends the watch.
 */
export function watchServer({
  ask,
  warn,
  meanwhile = OF_A_WORKER,
  everyMs = EVERY_MS,
  awayMs = AWAY_MS,
}: ServerWatchOptions): () => void {
  let awaySince: number | undefined;
  let isWarned = false;
  let isAsking = false;

  async function check(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    const asked = performance.now();
    const answers = await succeeds(ask());
    isAsking = false;
    if (isOver) return;
    const seconds = Math.round((performance.now() - (awaySince ?? asked)) / 1000);
    if (answers) {
      if (isWarned) warn(`The Temporal server answers again, after ${seconds} s.`);
      awaySince = undefined;
      isWarned = false;
      return;
    }
    awaySince ??= asked;
    if (isWarned || performance.now() - awaySince < awayMs) return;
    isWarned = true;
    warn(`The Temporal server has not answered for ${seconds} s. ${meanwhile}`);
  }

  let isOver = false;
  const timer = setInterval(() => void check(), everyMs);
  timer.unref();
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}
