/** Which orders of passages a question asks for. Pure. */
import type { RankedBy, RerankPassagesOptions } from './rerank-passages.js';

/** Each once; the first is the one whose best passages are read. */
export function ordersOf({
  by,
  compare,
}: Pick<RerankPassagesOptions, 'by' | 'compare'>): RankedBy[] {
  return [...new Set([by, ...compare])];
}
