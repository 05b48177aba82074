import type { QueueLimit } from '../../client/queue-limits.js';
import { printable } from '../../report/views/printable.js';
import type { Rate } from '../../workflows/queue/limits.js';

const COUNTED: Record<Rate, string> = { requestsPerMinute: 'calls', tokensPerMinute: 'tokens' };

/** "limits of the queue: at most 500 calls a minute (asked by run nq, since ...)"; none without any. */
export function renderLimits(limits: readonly QueueLimit[]): string[] {
  if (limits.length === 0) return [];
  const each = limits.map(({ rate, perMinute, run, since }) => {
    const owner = run === null ? 'set for the queue' : `asked by run ${printable(run)}`;
    const time = since === null ? 'on the server' : `since ${since.toLocaleString('sv-SE')}`;
    const most = perMinute.toLocaleString('en-US');
    return `at most ${most} ${COUNTED[rate]} a minute (${owner}, ${time})`;
  });
  return [`limits of the queue: ${each.join(', ')}`];
}
