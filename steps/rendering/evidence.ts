/** Query-evidence pairs as text (ALLIES, the reasoning history of section 4). Pure. */
import type { QueryEvidence } from '../../core/vocabulary.js';
import { takenApart } from './quoted.js';

/**
 * Each pair between tags of its own, with what could close them taken apart; empty when there are
 * none. Where nothing was looked for, the query stands alone. Byte-identical for the same pairs, and
 * a longer history begins like the one it extends.
 */
export function renderEvidence(history: readonly QueryEvidence[]): string {
  return history
    .map(({ query, evidence }, i) => {
      const found = evidence === '' ? '(none was found)' : evidence;
      const lines = [`Query: ${query}`, ...(found === null ? [] : [`Evidence: ${found}`])];
      return `<evidence number="${i + 1}">\n${takenApart(lines.join('\n'), 'evidence')}\n</evidence>`;
    })
    .join('\n');
}
