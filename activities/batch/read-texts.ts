/** What a method has read, told from its chain. Pure. */

export interface ReadTexts {
  /** Ids of passages, best first. */
  passages: string[];
  /** Generated documents, which were read after the passages. */
  documents: string[];
}

/**
 * The passages of a chain (`passages`, or LLatrieval's `supporting`) and GenRead's `documents`;
 * undefined for a chain that has none of them, and without a chain.
 */
export function readTexts(chain: unknown): ReadTexts | undefined {
  if (typeof chain !== 'object' || chain === null) return undefined;
  const { passages, supporting, documents } = chain as Record<string, unknown>;
  const refs = listOf(passages) ?? listOf(supporting);
  const generated = listOf(documents);
  if (!refs && !generated) return undefined;
  return {
    passages: (refs ?? []).flatMap(({ id }) => (typeof id === 'string' ? id : [])),
    documents: (generated ?? []).flatMap(({ text }) => (typeof text === 'string' ? text : [])),
  };
}

function listOf(value: unknown): Record<string, unknown>[] | undefined {
  return Array.isArray(value) ? (value as Record<string, unknown>[]) : undefined;
}
