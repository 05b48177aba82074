import { setTimeout as sleep } from 'node:timers/promises';
import ora, { type Ora } from 'ora';
import { printable } from '../report/views/printable.js';

/** Running work whose progress can be queried, such as a run. */
interface Watched<Result, Progress> {
  /** Waits for the result. */
  result(): Promise<Result>;
  progress(): Promise<Progress>;
}

/** The functions and settings by which the progress is queried and shown. */
interface Watching<Result, Progress> {
  /**
   * Shows a progress; `line` is drawn only on a terminal. A result that it returns, or an error
   * that it throws, ends the wait.
   */
  show(progress: Progress, line: Ora): Result | undefined;
  /** Text of the line until a worker answers. */
  text: string;
  /** Milliseconds between two queries for the progress. */
  pollMs: number;
  /** Milliseconds that a query for the progress may delay the display. */
  answerMs: number;
  /** Whether the progress at the end is shown as well. */
  last?: boolean;
}

/**
 * Queries the progress of running work and shows it on standard error until the work ends, and
 * returns its result. Continues if no worker answers a query.
 *
 * @returns The result of the work, or the result that `show` returned before.
 * @throws The error of the work or of `show`.
 */
export async function watch<Result, Progress>(
  watched: Watched<Result, Progress>,
  { show, text, pollMs, answerMs, last = false }: Watching<Result, Progress>,
): Promise<Result> {
  const result = watched.result();
  let ended = false;
  const end = () => {
    ended = true;
  };
  result.then(end, end);
  const line = ora({ stream: process.stderr, text: printable(text), discardStdin: false });
  if (process.stderr.isTTY) line.start();
  const poll = () =>
    Promise.race([
      watched.progress().catch(() => undefined),
      sleep(answerMs, undefined, { ref: false }),
    ]);
  try {
    while (!ended) {
      const progress = await poll();
      const instead = progress && show(progress, line);
      if (instead) return instead;
      await Promise.race([sleep(pollMs, undefined, { ref: false }), result.catch(() => {})]);
    }
    const final = last ? ((await poll()) ?? (await poll())) : undefined;
    if (final) show(final, line);
    return await result;
  } finally {
    line.stop();
  }
}
