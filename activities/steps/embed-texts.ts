import type { EmbedTextsActivity } from '../../workflows/activities/question.js';
import { embedKept } from '../runtime/embedding-step.js';
import type { Ports } from '../runtime/ports.js';
import { providerCall } from '../runtime/provider-call.js';

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
