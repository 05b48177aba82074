import pc from 'picocolors';
import type { QuestionHandle } from '../client/question-handle.js';
import type { MethodResult } from '../core/result.js';
import { printable } from '../report/views/printable.js';
import type { StepProgress } from '../workflows/run/progress.js';
import { tell } from './print.js';
import { watch } from './watch.js';

/**
 * Waits for the result. On a terminal a line shows the steps that run; every step that is done
 * gets a line of its own. Everything goes to standard error.
 */
export function follow<C>(handle: QuestionHandle<C>): Promise<MethodResult<C>> {
  const shown = new Set<number>();
  return watch(handle, {
    text: 'waiting for a worker',
    pollMs: 400,
    answerMs: 2_000,
    last: true,
    show({ steps }, line) {
      for (const [i, step] of steps.entries()) {
        if (step.state === 'running' || shown.has(i)) continue;
        shown.add(i);
        line.clear();
        tell(doneLine(step));
      }
      const running = steps.filter(({ state }) => state === 'running');
      if (running.length > 0) line.text = running.map(runningText).join(', ');
    },
  });
}

function runningText({ step, label, startedAt, reasks }: StepProgress): string {
  const again = reasks > 0 ? `, asked again ${reasks}x` : '';
  return `${step} ${pc.dim(`${printable(label)}, ${seconds(Date.now() - startedAt)}${again}`)}`;
}

function doneLine({ step, label, state, startedAt, finishedAt, cached }: StepProgress): string {
  const mark = state === 'failed' ? pc.red('✖') : pc.green('✔');
  const took = cached ? 'from cache' : seconds((finishedAt ?? startedAt) - startedAt);
  return `${mark} ${step} ${pc.dim(`${printable(label)}, ${took}`)}`;
}

function seconds(ms: number): string {
  return `${(Math.max(ms, 0) / 1000).toFixed(1)} s`;
}
