/** Shows a run live until it ends, or until the person leaves it. */

import type { BatchProgress } from '../../../methods/batch/batch.js';
import type { BatchHandle } from '../../batch.js';
import { tell } from '../print.js';
import { watch } from '../watch.js';
import {
  renderPause,
  renderProgress,
  renderProgressLine,
  speedBetween,
} from './render-progress.js';

/** The speed shown is that of the last minute. */
const SPEED_OVER_MS = 60_000;
/** Where lines stay, one is written this often. */
const LINE_EVERY_MS = 15_000;

/**
 * Waits for the end of a run. On a terminal a block of lines is kept up to date; elsewhere a line
 * is written now and then. Everything goes to standard error.
 *
 * @param check Sees each look; what it throws ends the waiting.
 * @throws what `handle.result()` throws.
 */
export function followBatch(
  handle: BatchHandle,
  check: (progress: BatchProgress) => void = () => {},
): Promise<BatchProgress> {
  const looks: { at: number; done: number }[] = [];
  let lineAt = 0;
  let pausedFor: string | undefined;
  return watch(handle, { text: 'waiting for a worker', pollMs: 1_000, answerMs: 5_000, show });

  function show(progress: BatchProgress, line: { text: string }): void {
    const at = Date.now();
    while (looks[0] && looks[0].at < at - SPEED_OVER_MS) looks.shift();
    const first = looks[0];
    const speed = first && speedBetween(first, progress, at);
    if (progress.state === 'running') looks.push({ at, done: progress.done });
    else looks.length = 0;
    if (process.stderr.isTTY) {
      line.text = renderProgress(progress, speed).join('\n');
    } else {
      if (at - lineAt >= LINE_EVERY_MS) {
        lineAt = at;
        tell(renderProgressLine(progress, speed));
      }
      tellPause(progress);
    }
    check(progress);
  }

  /** Said once where lines stay: what it is paused for does not change with each look. */
  function tellPause(progress: BatchProgress): void {
    const { pause } = progress;
    if (pause && pause.reason !== pausedFor) tell(renderPause(progress).join('\n'));
    pausedFor = pause?.reason;
  }
}
