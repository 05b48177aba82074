/** How many documents GenRead generates. Pure. */

/** Documents of one kind that the paper's reader got (GenRead 4.2.1). */
const DOCUMENTS = 10;

/** Returns how many documents are asked for. */
export function documentCount({
  generation,
  documents,
}: {
  generation: string;
  documents?: number | undefined;
}): number {
  return documents ?? (generation === 'zeroShot' ? 1 : DOCUMENTS);
}
