import type { RunHandle } from '../../client/run.js';
import type { StuckWorkflow } from '../../client/stuck-workflows.js';
import type { RunProgress } from '../../core/run/run.js';
import { tell } from '../print.js';
import { watch } from '../watch.js';
import {
  renderPause,
  renderProgress,
  renderProgressLine,
  speedBetween,
} from './render-progress.js';
import { renderStuck } from './render-stuck.js';

/** The speed shown is that of the last minute. */
const SPEED_OVER_MS = 60_000;
/** Where lines stay, one is written this often. */
const LINE_EVERY_MS = 15_000;
/** How often the server is asked whether a question cannot go on. */
const STUCK_EVERY_MS = 60_000;
/** How often that is looked at which it shares with other runs. */
const SHARED_EVERY_MS = 5_000;

/**
 * Waits for the end of a run. On a terminal a block of lines is kept up to date; elsewhere a line
 * is written now and then. Everything goes to standard error.
 *
 * @param beside Lines about what it shares with other runs.
 * @param check Sees each look; what it returns or throws ends the waiting.
 * @throws what `handle.result()` throws.
 */
export function followRun(
  handle: RunHandle,
  beside: () => Promise<string[]>,
  check: (progress: RunProgress) => RunProgress | undefined = () => undefined,
): Promise<RunProgress> {
  const looks: { at: number; done: number }[] = [];
  let lineAt = 0;
  let pausedFor: string | undefined;
  let stuck: StuckWorkflow[] = [];
  let stuckAt = Date.now();
  let shared: string[] = [];
  let sharedAt = 0;
  return watch(handle, { text: 'waiting for a worker', pollMs: 1_000, answerMs: 5_000, show });

  function show(progress: RunProgress, line: { text: string }): RunProgress | undefined {
    const at = Date.now();
    if (at - stuckAt >= STUCK_EVERY_MS) {
      stuckAt = at;
      // A server that is away is told of elsewhere.
      handle.stuck().then(tellStuck, () => {});
    }
    if (at - sharedAt >= SHARED_EVERY_MS) {
      sharedAt = at;
      beside().then(showBeside, () => {});
    }
    while (looks[0] && looks[0].at < at - SPEED_OVER_MS) looks.shift();
    const first = looks[0];
    const speed = first && speedBetween(first, progress, at);
    if (progress.state === 'running') looks.push({ at, done: progress.done });
    else looks.length = 0;
    if (process.stderr.isTTY) {
      const lines = [renderProgress(progress, speed), shared, renderStuck(handle.run, stuck)];
      line.text = lines.flat().join('\n');
    } else {
      if (at - lineAt >= LINE_EVERY_MS) {
        lineAt = at;
        tell([renderProgressLine(progress, speed), ...shared].join('\n'));
      }
      tellPause(progress);
    }
    return check(progress);
  }

  function showBeside(lines: string[]): void {
    shared = lines;
  }

  function tellStuck(found: StuckWorkflow[]): void {
    const isNews = found.length > 0 && found.length !== stuck.length;
    stuck = found;
    if (isNews && !process.stderr.isTTY) tell(renderStuck(handle.run, found).join('\n'));
  }

  /** Said once where lines stay: what it is paused for does not change with each look. */
  function tellPause(progress: RunProgress): void {
    const { pause } = progress;
    if (pause && pause.reason !== pausedFor) tell(renderPause(progress).join('\n'));
    pausedFor = pause?.reason;
  }
}
