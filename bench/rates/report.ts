/** The table of the rates benchmark, in Markdown. */
import { measuredOn } from '../machine.js';
import type { ProviderState } from './provider.js';

export interface Figures extends ProviderState {
  asked: number;
  /** Questions that failed. */
  failed: number;
  /** Requests a minute. */
  limit: number;
}

export function table(
  { paced, unpaced }: { paced: Figures; unpaced: Figures },
  partitions: string,
): string {
  const row = (name: string, goal: string, of: (figures: Figures) => string) =>
    `| ${[name, of(paced), goal, of(unpaced)].join(' | ')} |`;
  return [
    `${measuredOn(`partitions of a task queue: ${partitions}`)} The provider lets ${paced.limit} requests a minute in, ` +
      `${paced.burstSeconds} seconds' worth at once, and lets every tenth of them down.`,
    '',
    '| | limit set on our side | goal | not set |',
    '| --- | ---: | ---: | ---: |',
    row('questions', '', ({ asked }) => String(asked)),
    row('questions that failed', '0', ({ failed }) => String(failed)),
    row('calls let in', '', ({ taken }) => String(taken)),
    row('calls refused', '', ({ refused }) => String(refused)),
    row('share of calls refused', '< 1 %', ({ refused, taken }) =>
      percent(refused / (refused + taken)),
    ),
    row('share of the limit used', '>= 97 %', ({ taken, limit, lastedMs }) =>
      percent(taken / ((limit * lastedMs) / 60_000)),
    ),
    row('seconds', '', ({ lastedMs }) => (lastedMs / 1000).toFixed(0)),
  ].join('\n');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
