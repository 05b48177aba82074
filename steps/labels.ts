/** Parts of the lines that a person reads beside a step in the Temporal UI. Pure. */

import type { QueryEvidence } from '../core/vocabulary.js';
import type { Sample } from './samples.js';

/** Returns a query short enough for a label; pseudo passages are long. */
export function shortened(query: string): string {
  return query.length > 120 ? `${query.slice(0, 120).trimEnd()}...` : query;
}

/** Returns which of several chains a call belongs to, for its label. */
export function inChain(sample: Sample | undefined): string {
  return sample ? `chain ${sample.k + 1}, ` : '';
}

/** Returns what the newest of the evidence was found for. */
export function lastQuery(history: readonly QueryEvidence[]): string {
  const last = history.at(-1);
  return last ? `evidence for "${last.query}"` : 'no evidence';
}
