import type { RunHandle } from '../../client/run.js';
import type { StuckWorkflow } from '../../client/stuck-workflows.js';
import type { RunProgress } from '../../core/run/run.js';
import { printToStderr } from '../print.js';
import { watch } from '../watch.js';
import {
  renderPause,
  renderProgress,
  renderProgressLine,
  speedBetween,
} from './render-progress.js';
import { renderStuck } from './render-stuck.js';

/** Period over which the shown speed is measured, in milliseconds. */
const SPEED_OVER_MS = 60_000;
/** Milliseconds between lines if the output is not a terminal. */
const LINE_EVERY_MS = 15_000;
/** Milliseconds between checks whether a workflow of the run is stuck. */
const STUCK_EVERY_MS = 60_000;
/** Milliseconds between refreshes of the lines about other runs. */
const SHARED_EVERY_MS = 5_000;

/**
 * Waits for the end of a run and returns its last progress, while it shows the progress on standard
 * error: on a terminal as lines that are kept up to date, elsewhere as a line every 15 seconds.
 *
 * @param beside Returns lines about resources that the run shares with other runs.
 * @param check Called with each progress. A progress that it returns, or an error that it throws,
 * ends the wait.
 * @throws The error of `handle.result()`.
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
      // A lost server is reported by `awaitEnded`.
      handle.stuck().then(printStuck, () => {});
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
        printToStderr([renderProgressLine(progress, speed), ...shared].join('\n'));
      }
      printPause(progress);
    }
    return check(progress);
  }

  function showBeside(lines: string[]): void {
    shared = lines;
  }

  function printStuck(found: StuckWorkflow[]): void {
    const isNews = found.length > 0 && found.length !== stuck.length;
    stuck = found;
    if (isNews && !process.stderr.isTTY) printToStderr(renderStuck(handle.run, found).join('\n'));
  }

  /** Prints a pause, once for each reason, if the output is not a terminal. */
  function printPause(progress: RunProgress): void {
    const { pause } = progress;
    if (pause && pause.reason !== pausedFor) printToStderr(renderPause(progress).join('\n'));
    pausedFor = pause?.reason;
  }
}
