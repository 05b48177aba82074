/** Query-evidence pairs as text (ALLIES, the reasoning history of section 4). Pure. */
import type { QueryEvidence } from '../../core/vocabulary.js';
import { takenApart } from './quoted.js';

/**
 * Renders each pair between its own tags, which its content cannot close; empty without pairs.
 * Without evidence the query stands alone. The same pairs give the same bytes, and a longer history
 * begins like the one it extends.
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
