/** Parts of the lines that a person reads beside a step in the Temporal UI. Pure. */

/** Returns a query short enough for a label; pseudo passages are long. */
export function shortened(query: string): string {
  return query.length > 120 ? `${query.slice(0, 120).trimEnd()}...` : query;
}
