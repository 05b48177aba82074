/** The embedding model of this machine, fetched when it is first needed. */
import { MINILM, MINILM_TOKENIZER } from './artifacts.js';
import { bothOrNeither } from './both-or-neither.js';
import { type FetchContext, obtain } from './fetch.js';

/**
 * The files of all-MiniLM-L6-v2; told to the reporter before anything is downloaded.
 *
 * @throws {SetupError} that lists every source with the reason it failed.
 * @throws the reason of the context's signal when aborted.
 */
export async function obtainEmbeddingModel(
  context: FetchContext,
): Promise<{ model: string; tokenizer: string }> {
  const [model, tokenizer] = await bothOrNeither(
    context,
    (one) => obtain(MINILM, one),
    (one) => obtain(MINILM_TOKENIZER, one),
  );
  return { model, tokenizer };
}
