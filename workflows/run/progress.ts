import type { Usage } from '../../core/usage.js';

/** A call of a question under way. */
export interface StepProgress {
  step: string;
  /** Which candidate, which pair. */
  label: string;
  state: 'running' | 'done' | 'failed';
  /** Milliseconds since the epoch. */
  startedAt: number;
  finishedAt?: number;
  /** For how long its attempts that ended well were running; left out if nobody knows, or none did. */
  ranMs?: number;
  /** How many times an unreadable output was asked again. */
  reasks: number;
  /** Served from the response cache. */
  cached: boolean;
}

/** How far a question is, step by step. */
export interface Progress {
  method: string;
  question: string;
  steps: StepProgress[];
  usage: Usage;
}

/** Returns the last `most` steps as a Markdown table, with what came before them counted. */
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
