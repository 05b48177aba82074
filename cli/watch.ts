import { setTimeout as sleep } from 'node:timers/promises';
import ora, { type Ora } from 'ora';
import { printable } from '../report/views/printable.js';

export interface Watched<Result, Progress> {
  result(): Promise<Result>;
  progress(): Promise<Progress>;
}

export interface Watching<Result, Progress> {
  /**
   * Shows where it stands; `line` is drawn on a terminal only. What it returns stands in for the
   * result, and ends the wait, as does what it throws.
   */
  show(progress: Progress, line: Ora): Result | undefined;
  /** What the line says until a worker answers. */
  text: string;
  pollMs: number;
  /** How long a look at the progress may hold up the display. */
  answerMs: number;
  /** Whether the end is shown as well. */
  last?: boolean;
}

/**
 * Waits for the end. A worker that is busy or gone cannot answer a look; that does not end the
 * wait. Everything goes to standard error.
 *
 * @throws what `result()` throws.
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
  const look = () =>
    Promise.race([
      watched.progress().catch(() => undefined),
      sleep(answerMs, undefined, { ref: false }),
    ]);
  try {
    while (!ended) {
      const progress = await look();
      const instead = progress && show(progress, line);
      if (instead) return instead;
      await Promise.race([sleep(pollMs, undefined, { ref: false }), result.catch(() => {})]);
    }
    const final = last ? ((await look()) ?? (await look())) : undefined;
    if (final) show(final, line);
    return await result;
  } finally {
    line.stop();
  }
}
