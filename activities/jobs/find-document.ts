import type { FindDocumentActivity } from '../../workflows/activities/clusters.js';
import type { Ports } from '../runtime/ports.js';
import { providerCall } from '../runtime/provider-call.js';
import { searching } from '../runtime/searching.js';
import { readQuestion } from './pages.js';

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
