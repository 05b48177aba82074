/** Workers that search in their own process. */
import type { InProcess } from '../../activities/runtime/ports.js';
import { Failure } from '../../core/failure.js';
import type { Corpora } from '../../retrieval/retriever.js';
import { fixedCorpora } from './ports.js';

export const inProcess: InProcess = { corpus: () => true, passages: true };

/** Corpora whose first searches fail, and a number for each search there was. */
export function failingSearches(times: number): { corpora: Corpora; searched: number[] } {
  const searched: number[] = [];
  const open: Corpora['open'] = async (...name) => {
    const { search, get } = await fixedCorpora().open(...name);
    return {
      get,
      async search(...query) {
        searched.push(searched.length);
        if (searched.length > times) return search(...query);
        throw new Failure('Connection', 'It is away.', { retryAfterMs: 1 });
      },
    };
  };
  return { corpora: { open }, searched };
}
