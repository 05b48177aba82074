/** The document of a train question, retrieved: the best passage (GenRead 3.2.2, step 1). */
import type { Ports } from '../runtime/ports.js';
import { type CallBounds, providerCall } from '../runtime/provider-call.js';
import { searching } from '../runtime/searching.js';
import { type OnPage, readQuestion } from './pages.js';

/** Gives the id of the document; null when the search found nothing. */
export type FindDocumentActivity = (
  input: OnPage & { corpus: string },
  bounds: CallBounds,
) => Promise<string | null>;

export function findDocumentActivity({ corpora, texts }: Ports): FindDocumentActivity {
  return ({ page, k, corpus }, bounds) =>
    providerCall(bounds, async () => {
      const question = await readQuestion(texts, { page, k });
      const [passage] = await searching(async () => {
        const retriever = await corpora.open(corpus);
        const found = await retriever.search(question, 1);
        return retriever.get(found.map(({ id }) => id));
      });
      return passage ? texts.put(passage.text.replace(/\s+/g, ' ').trim()) : null;
    });
}
