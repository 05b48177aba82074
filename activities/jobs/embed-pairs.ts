/** Embeds some pairs in one request; the vectors stay in the store (GenRead 3.2.2, step 2). */

import type { EmbedPairsActivity } from '../../workflows/activities/clusters.js';
import { embedKept } from '../runtime/embedding-step.js';
import type { Ports } from '../runtime/ports.js';
import { providerCall } from '../runtime/provider-call.js';
import { pairText, readPairPage } from './pages.js';

export function embedPairsActivity(ports: Ports): EmbedPairsActivity {
  const { embeddings, texts } = ports;
  return ({ pairs, from, count }, bounds) =>
    providerCall(bounds, async (signal, soFar) => {
      const page = await readPairPage(texts, pairs);
      const shown = page.slice(from, from + count).map(pairText);
      const { usage } = await embedKept(shown, ports, signal, soFar);
      return { value: shown.length, usage, model: embeddings.model };
    });
}
