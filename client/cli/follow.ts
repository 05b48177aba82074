/** Shows which step a question is at, and for how long, until it ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import ora from 'ora';
import pc from 'picocolors';
import type { Progress, StepProgress } from '../../methods/progress.js';
import type { MethodResult } from '../../methods/result.js';
import type { QuestionHandle } from '../question-handle.js';

const POLL_MS = 400;
/** How long a look at the progress may hold up the display. */
const ANSWER_TIMEOUT_MS = 2_000;

/**
 * Waits for the result. On a terminal a line shows the steps that run; every step that is done
 * gets a line of its own. Everything goes to standard error.
 */
export async function follow<C>(handle: QuestionHandle<C>): Promise<MethodResult<C>> {
  const result = handle.result();
  let ended = false;
  const end = () => {
    ended = true;
  };
  result.then(end, end);
  const spinner = ora({
    stream: process.stderr,
    text: 'waiting for a worker',
    discardStdin: false,
  });
  if (process.stderr.isTTY) spinner.start();
  const shown = new Set<number>();
  try {
    while (!ended) {
      await Promise.race([sleep(POLL_MS), result.catch(() => undefined)]);
      const progress = await progressSoon();
      if (progress) show(progress.steps);
    }
    const last = (await progressSoon()) ?? (await progressSoon());
    if (last) show(last.steps);
    return await result;
  } finally {
    spinner.stop();
  }

  /** A worker that is busy or gone cannot answer; the question itself is not affected. */
  function progressSoon(): Promise<Progress | undefined> {
    const wait = sleep(ANSWER_TIMEOUT_MS, undefined, { ref: false });
    return Promise.race([handle.progress().catch(() => undefined), wait]);
  }

  function show(steps: readonly StepProgress[]): void {
    for (const [i, step] of steps.entries()) {
      if (step.state === 'running' || shown.has(i)) continue;
      shown.add(i);
      spinner.clear();
      process.stderr.write(`${doneLine(step)}\n`);
    }
    const running = steps.filter(({ state }) => state === 'running');
    if (running.length > 0) spinner.text = running.map(runningText).join(', ');
  }
}

function runningText({ step, label, startedAt, reasks }: StepProgress): string {
  const again = reasks > 0 ? `, asked again ${reasks}x` : '';
  return `${step} ${pc.dim(`${label}, ${seconds(Date.now() - startedAt)}${again}`)}`;
}

function doneLine({ step, label, state, startedAt, finishedAt, cached }: StepProgress): string {
  const mark = state === 'failed' ? pc.red('✖') : pc.green('✔');
  const took = cached ? 'from cache' : seconds((finishedAt ?? startedAt) - startedAt);
  return `${mark} ${step} ${pc.dim(`${label}, ${took}`)}`;
}

function seconds(ms: number): string {
  return `${(Math.max(ms, 0) / 1000).toFixed(1)} s`;
}
