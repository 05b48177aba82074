/** The steps that search or look up, which cost nothing. */
import type { PassageRef } from '../../core/vocabulary.js';
import { rankSupplied } from '../../retrieval/rank-supplied.js';
import { tfIdfScores } from '../../retrieval/tf-idf.js';
import type { RetrieveInput, ScoreByTfIdfInput, Source } from '../../steps/other.js';
import type { SearchActivities } from '../../workflows/activities/question.js';
import type { Ports } from '../runtime/ports.js';
import { providerCall } from '../runtime/provider-call.js';
import { readPassages } from '../runtime/render-prompt.js';
import { searching } from '../runtime/searching.js';

/** Searches of questions: beside the workflows, or on a queue of their own. */
export function createSearchActivities(ports: Ports): SearchActivities {
  return {
    retrieve: (input, source, bounds) =>
      providerCall(bounds, (signal) => retrieved(input, source, ports, signal)),
    scoreByTfIdf: (input, corpus, bounds) =>
      providerCall(bounds, () => tfIdfWeights(input, corpus, ports)),
  };
}

/**
 * Returns the best passages first, fewer than `count` where there are fewer; a text without a kept
 * vector is embedded where the mode needs it.
 */
export async function retrieved(
  { query, count }: RetrieveInput,
  source: Source,
  { corpora, passages, embeddings }: Pick<Ports, 'corpora' | 'embeddings' | 'passages'>,
  signal: AbortSignal,
): Promise<PassageRef[]> {
  const { mode } = source;
  const found = await searching(async () =>
    'supplied' in source
      ? rankSupplied(source.supplied, { query, count, mode }, passages, embeddings, signal)
      : (await corpora.open(source.corpus)).search(query, count, mode, signal),
  );
  return found.map((ref) => ({ ...ref, score: rounded(ref.score) }));
}

/** Returns how well each passage fits the question, from 0 to 1, title and text taken together. */
export async function tfIdfWeights(
  { query, passages }: ScoreByTfIdfInput,
  corpus: string | null,
  ports: Pick<Ports, 'corpora' | 'passages'>,
): Promise<number[]> {
  const found = await readPassages(passages, corpus, ports);
  const texts = found.map(({ title, text }) => `${title}\n${text}`);
  return tfIdfScores(query, texts).map(rounded);
}

/** To seven digits: what comes after them is noise (engines compute in 32 bits), and histories keep it. */
export function rounded(score: number): number {
  return Number(score.toPrecision(7));
}
