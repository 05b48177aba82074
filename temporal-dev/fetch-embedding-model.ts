import { allOrAbort } from '../files/lock.js';
import { MINILM, MINILM_TOKENIZER } from './artifacts.js';
import { type FetchContext, obtainArtifact } from './fetch.js';

/**
 * Returns the paths of the files of all-MiniLM-L6-v2: the ONNX model (`model`) and the tokenizer
 * (`tokenizer`). Downloads them, with a report, unless they exist.
 *
 * @throws {SetupError} that lists every source with the reason it failed.
 * @throws The reason of the context's signal if aborted.
 */
export async function obtainEmbeddingModel(
  context: FetchContext,
): Promise<{ model: string; tokenizer: string }> {
  const [model, tokenizer] = await allOrAbort<[string, string]>(context.signal, [
    (signal) => obtainArtifact(MINILM, { ...context, signal }),
    (signal) => obtainArtifact(MINILM_TOKENIZER, { ...context, signal }),
  ]);
  return { model, tokenizer };
}
