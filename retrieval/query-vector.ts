/** Embeds queries for a corpus, and checks that the model is the one that embedded the corpus. */

import { command } from '../core/command.js';
import { Failure } from '../core/failure.js';
import type { SearchMode } from '../core/vocabulary.js';
import type { EmbeddingModel } from '../llm/embedding-model.js';
import type { IndexManifest } from './manifest.js';

/**
 * The part of a corpus's manifest that dense search needs: its embedding model, and its name, file
 * and engine for messages.
 */
export type EmbeddedCorpus = Pick<IndexManifest, 'name' | 'source' | 'embedding'> &
  Partial<Pick<IndexManifest, 'engine'>>;

/**
 * Checks, without embedding anything, that a corpus can be searched in a mode; throws if it cannot.
 *
 * @param embeddings The model that embeds queries; undefined if there is none.
 * @throws Failure BadInput if the mode needs vectors, and there is no model, or the corpus has no
 * vectors or those of another model.
 */
export function checkMode(
  corpus: EmbeddedCorpus,
  mode: SearchMode,
  embeddings: EmbeddingModel | undefined,
): void {
  if (mode !== 'bm25') fitting(corpus, mode, embeddings);
}

/**
 * Returns the vector of a query for a dense or hybrid search of a corpus.
 *
 * @param mode Mode of the search, for messages.
 * @throws Failure BadInput if there is no model, or the corpus has no vectors or those of another
 * model.
 */
export async function queryVector(
  query: string,
  corpus: EmbeddedCorpus,
  mode: SearchMode,
  embeddings: EmbeddingModel | undefined,
  signal: AbortSignal,
): Promise<number[]> {
  const { model, embedding } = fitting(corpus, mode, embeddings);
  const [vector = []] = (await model.embed([query], signal)).vectors;
  if (vector.length !== embedding.dimensions) {
    throw anotherModel(corpus, embedding, `${vector.length} dimensions of it`);
  }
  return vector;
}

function fitting(
  corpus: EmbeddedCorpus,
  mode: SearchMode,
  model: EmbeddingModel | undefined,
): { model: EmbeddingModel; embedding: NonNullable<IndexManifest['embedding']> } {
  const { name, embedding } = corpus;
  if (embedding === undefined || model === undefined) {
    throw new Failure(
      'BadInput',
      `Corpus ${name} was indexed without embeddings, so mode "${mode}" cannot search it. ` +
        `Build it with them: ${build(corpus)}`,
    );
  }
  if (model.model !== embedding.model) throw anotherModel(corpus, embedding, model.model);
  return { model, embedding };
}

function anotherModel(
  corpus: EmbeddedCorpus,
  { provider, model, dimensions }: NonNullable<IndexManifest['embedding']>,
  found: string,
): Failure {
  return new Failure(
    'BadInput',
    `Corpus ${corpus.name} was embedded with ${model} (${dimensions} dimensions), but this worker ` +
      `embeds with ${found}. Set DURABLE_RAG_EMBEDDING_MODEL to ` +
      `${provider === 'local' ? 'local' : model}, or build the index again: ${build(corpus)}`,
  );
}

function build({ name, source, engine }: EmbeddedCorpus): string {
  const flags = engine === 'elasticsearch' ? ['--search', engine] : [];
  return command('index', source, '--into', name, '--embed', ...flags);
}
