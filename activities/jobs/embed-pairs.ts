/** Embeds some pairs in one request; the vectors stay in the store (GenRead 3.2.2, step 2). */
import { type EmbeddingOutput, embedKept } from '../runtime/embedding-step.js';
import type { Ports } from '../runtime/ports.js';
import { type CallBounds, providerCall } from '../runtime/provider-call.js';
import { pairText, readPairPage } from './pages.js';

export interface EmbedPairsInput {
  /** Id of the page of pairs. */
  pairs: string;
  from: number;
  count: number;
}

/** Gives how many pairs there were to embed. */
export type EmbedPairsActivity = (
  input: EmbedPairsInput,
  bounds: CallBounds,
) => Promise<EmbeddingOutput<number>>;

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
