/** How many documents GenRead generates. Pure. */

/** What the paper's reader was given of one kind of documents (GenRead 4.2.1). */
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
