/** So many go into one request. */
const EMBEDDED_AT_ONCE = 200;

/** Returns the passages in pages of one request each, in their order. */
export function embeddingPages<T>(passages: readonly T[]): T[][] {
  const pages = Math.ceil(passages.length / EMBEDDED_AT_ONCE);
  return Array.from({ length: pages }, (_, page) =>
    passages.slice(page * EMBEDDED_AT_ONCE, (page + 1) * EMBEDDED_AT_ONCE),
  );
}
