import type { Usage } from '../../core/usage.js';

/**
 * The progress of one call of a question: its step and label, its state, when it began and ended,
 * how long it ran, how often it was asked again, and whether it was served from a cache.
 */
export interface StepProgress {
  step: string;
  /** Description for people, such as the candidate or pair it is about. */
  label: string;
  state: 'running' | 'done' | 'failed';
  /** Time of its start, in milliseconds since 1970. */
  startedAt: number;
  finishedAt?: number;
  /**
   * Total duration of its successful attempts, in milliseconds; left out if unknown or zero
   * attempts.
   */
  ranMs?: number;
  /** Times that an unreadable output was asked for again. */
  reasks: number;
  /** Whether the response cache served it, or the record of another run. */
  cached: boolean;
}

/**
 * The progress of a question: its calls so far, in the order in which they began, and its usage
 * (calls, tokens and US dollars).
 */
export interface Progress {
  method: string;
  question: string;
  steps: StepProgress[];
  usage: Usage;
}

/**
 * Returns a Markdown table of a question's last `most` steps (model calls, searches and others):
 * name, label and state of each, with a row for the number of earlier ones.
 */
export function progressTable(steps: readonly StepProgress[], most = 30): string {
  const shown = steps.slice(-most);
  const rows = shown.map(
    ({ step, label, state, reasks, cached }) =>
      `| ${step} | ${cell(label)} | ${state}${reasks > 0 ? `, asked again ${reasks}x` : ''}${cached ? ', from cache' : ''} |`,
  );
  const earlier = steps.length - shown.length;
  return [
    '| step | of | state |',
    '| --- | --- | --- |',
    ...(earlier > 0 ? [`| ... | ${earlier} earlier steps | |`] : []),
    ...rows,
  ].join('\n');
}

function cell(text: string): string {
  return text.replace(/[|\r\n]+/g, ' ');
}
