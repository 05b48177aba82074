/** The retrieved and generated texts that GenRead's readers read. Pure. */
import type { Passage } from '../core/vocabulary.js';

export interface Background {
  /** Ids of the passages retrieved, in the order shown. */
  passages: string[];
  /** The documents generated, shown after them. */
  documents: string[];
}

/** Returns what is read; a generated document counts as a passage (GenRead 4.3.1). */
export function passagesOf({ passages, documents }: Background): (string | Passage)[] {
  const generated = documents.map((text, i) => ({ id: `document-${i + 1}`, title: '', text }));
  return [...passages, ...generated];
}

/** Returns how much there is to read, for the line in the Temporal UI. */
export function backgroundLabel({ documents, passages }: Background): string {
  return `${documents.length} documents, ${passages.length} passages`;
}
