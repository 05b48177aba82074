import type { PassageRef, SearchMode } from '../core/vocabulary.js';
import type { EmbeddingModel } from '../llm/embedding-model.js';
import { cosine } from '../llm/vectors.js';
import { bm25Scores } from './bm25.js';
import { fuseByRank } from './fuse.js';
import { passageText } from './retriever.js';
import type { PassageStore } from './supplied-passages.js';

interface SuppliedSearch {
  query: string;
  /** Maximum number of passages to return. */
  count: number;
  /** Search mode; undefined keeps the given order. */
  mode: SearchMode | undefined;
}

/**
 * Ranks the passages that came with a question by a query; returns references to at most `count`,
 * best first, with the scores of this ranking. Passages without a match come last; equal ones keep
 * their order. Without a mode or with an empty query, it returns the first `count` with their own
 * scores.
 *
 * @param passages Store of the passages' texts.
 */
export async function rankSupplied(
  supplied: readonly PassageRef[],
  { query, count, mode }: SuppliedSearch,
  passages: Pick<PassageStore, 'get'>,
  embeddings: EmbeddingModel,
  signal: AbortSignal,
): Promise<PassageRef[]> {
  const wanted = Math.max(0, count);
  if (mode === undefined || query.trim() === '') return supplied.slice(0, wanted);
  const texts = (await passages.get(supplied.map(({ id }) => id))).map(passageText);
  const byWords = () => ordered(supplied, bm25Scores(query, texts));
  const byVectors = async () => {
    const { vectors } = await embeddings.embed([query, ...texts], signal);
    const [asked = [], ...given] = vectors;
    return ordered(
      supplied,
      given.map((vector) => cosine(asked, vector)),
    );
  };
  if (mode === 'bm25') return byWords().slice(0, wanted);
  if (mode === 'dense') return (await byVectors()).slice(0, wanted);
  // A passage without any word of the query has no rank by words.
  const found = byWords().filter(({ score }) => score > 0);
  return fuseByRank([found, await byVectors()]).slice(0, wanted);
}

function ordered(supplied: readonly PassageRef[], scores: readonly number[]): PassageRef[] {
  return supplied
    .map((ref, k) => ({ ...ref, score: scores[k] ?? 0 }))
    .sort((a, b) => b.score - a.score);
}
