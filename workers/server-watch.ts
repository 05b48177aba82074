import { succeeds } from '../core/failure.js';

/** Between two looks. */
const EVERY_MS = 5_000;
/** A restart of the server is over by then, and is nobody's concern. */
const AWAY_MS = 10_000;

const OF_A_WORKER =
  'Calls under way end and are kept; nothing new begins until it is back, and nothing has to be done here.';

export interface ServerWatchOptions {
  /** Rejects where the server does not answer. */
  ask(): Promise<unknown>;
  warn(message: string): void;
  /** What holds while it is away, and what is to be done. @default as a worker has it */
  meanwhile?: string;
  everyMs?: number;
  awayMs?: number;
}

/**
 * Says where the server is away. The SDK asks on for so long and says nothing, which looks like a
 * worker that has nothing to do, or a question that takes long.
 *
 * @returns what ends the watch.
 */
export function watchServer({
  ask,
  warn,
  meanwhile = OF_A_WORKER,
  everyMs = EVERY_MS,
  awayMs = AWAY_MS,
}: ServerWatchOptions): () => void {
  let awaySince: number | undefined;
  let isTold = false;
  let isAsking = false;

  async function look(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    const asked = performance.now();
    const answers = await succeeds(ask());
    isAsking = false;
    if (isOver) return;
    const seconds = Math.round((performance.now() - (awaySince ?? asked)) / 1000);
    if (answers) {
      if (isTold) warn(`The Temporal server answers again, after ${seconds} s.`);
      awaySince = undefined;
      isTold = false;
      return;
    }
    awaySince ??= asked;
    if (isTold || performance.now() - awaySince < awayMs) return;
    isTold = true;
    warn(`The Temporal server has not answered for ${seconds} s. ${meanwhile}`);
  }

  let isOver = false;
  const timer = setInterval(() => void look(), everyMs);
  timer.unref();
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}
