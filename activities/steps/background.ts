/** What GenRead's readers of all tasks read: retrieved and generated texts together. Pure. */
import type { Passage } from '../../methods/vocabulary.js';

export interface Background {
  /** Ids of the passages retrieved, in the order shown. */
  passages: string[];
  /** The documents generated, shown after them. */
  documents: string[];
}

/** As `ModelStep.passages`: to the reader a generated document is a passage (GenRead 4.3.1). */
export function passagesOf({ passages, documents }: Background): (string | Passage)[] {
  const generated = documents.map((text, i) => ({ id: `document-${i + 1}`, title: '', text }));
  return [...passages, ...generated];
}
