/** Embeds texts for whatever comes next: the vectors stay in the store, and out of the history. */
import type { EmbedTextsInput } from '../../steps/other/embed-texts.js';
import { type EmbeddingOutput, embedKept } from '../runtime/embedding-step.js';
import type { Ports } from '../runtime/ports.js';
import { type CallBounds, providerCall } from '../runtime/provider-call.js';

/** Gives the keys that `ports.embeddings.get` finds the vectors under. */
export type EmbedTextsActivity = (
  input: EmbedTextsInput,
  bounds: CallBounds,
) => Promise<EmbeddingOutput<string[]>>;

/** Makes the activity: one request, or none where the store has all of the vectors. */
export function embedTextsActivity(ports: Ports): EmbedTextsActivity {
  const { embeddings } = ports;
  return ({ texts }, bounds) =>
    providerCall(bounds, async (signal, soFar) => {
      const { usage } = await embedKept(texts, ports, signal, soFar);
      const value = texts.map((text) => embeddings.keyOf(text));
      return { value, usage, model: embeddings.model };
    });
}
