/** The retrieval step: a query in, references to passages out. */
import type { PassageRef } from '../methods/vocabulary.js';
import { suppliedRetriever } from '../retrieval/supplied-passages.js';
import type { Ports } from './ports.js';
import { type CallBounds, providerCall } from './provider-call.js';

export interface RetrieveInput {
  query: string;
  /** How many passages, at most. */
  count: number;
}

/** Where to search: a corpus by name, or the passages that came with the question. */
export type Source = { corpus: string } | { supplied: PassageRef[] };

export type RetrieveActivity = (
  input: RetrieveInput,
  source: Source,
  bounds: CallBounds,
) => Promise<PassageRef[]>;

/** Makes the retrieve activity; best passage first, fewer than `count` where there are fewer. */
export function retrieveActivity({ corpora, passages }: Ports): RetrieveActivity {
  return ({ query, count }, source, bounds) =>
    providerCall(bounds, async () => {
      const retriever =
        'supplied' in source
          ? suppliedRetriever(source.supplied, passages)
          : await corpora.open(source.corpus);
      return retriever.search(query, count);
    });
}
