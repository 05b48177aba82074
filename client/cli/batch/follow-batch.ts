/** Shows a run live until it ends, or until the person leaves it. */
import { setTimeout as sleep } from 'node:timers/promises';
import ora from 'ora';
import type { BatchProgress } from '../../../methods/batch.js';
import type { BatchHandle } from '../../batch.js';
import { renderProgress, renderProgressLine, speedBetween } from './render-progress.js';

const POLL_MS = 1_000;
/** How long a look at the progress may hold up the display. */
const ANSWER_TIMEOUT_MS = 5_000;
/** The speed shown is that of the last minute. */
const SPEED_OVER_MS = 60_000;
/** Where lines stay, one is written this often. */
const LINE_EVERY_MS = 15_000;

/**
 * Waits for the end of a run. On a terminal a block of lines is kept up to date; elsewhere a line
 * is written now and then. Everything goes to standard error.
 *
 * @throws what `handle.result()` throws.
 */
export async function followBatch(handle: BatchHandle): Promise<BatchProgress> {
  const result = handle.result();
  let ended = false;
  const end = () => {
    ended = true;
  };
  result.then(end, end);
  const block = ora({ stream: process.stderr, text: 'waiting for a worker', discardStdin: false });
  if (process.stderr.isTTY) block.start();
  const looks: { at: number; done: number }[] = [];
  let lineAt = 0;
  try {
    while (!ended) {
      const progress = await Promise.race([
        handle.progress().catch(() => undefined),
        sleep(ANSWER_TIMEOUT_MS, undefined, { ref: false }),
      ]);
      if (progress) show(progress, Date.now());
      await Promise.race([sleep(POLL_MS, undefined, { ref: false }), result.catch(() => {})]);
    }
    return await result;
  } finally {
    block.stop();
  }

  function show(progress: BatchProgress, at: number): void {
    while (looks[0] && looks[0].at < at - SPEED_OVER_MS) looks.shift();
    const first = looks[0];
    const speed = first && speedBetween(first, progress, at);
    if (progress.state === 'running') looks.push({ at, done: progress.done });
    else looks.length = 0;
    if (process.stderr.isTTY) {
      block.text = renderProgress(progress, speed).join('\n');
    } else if (at - lineAt >= LINE_EVERY_MS) {
      lineAt = at;
      process.stderr.write(`${renderProgressLine(progress, speed)}\n`);
    }
  }
}
