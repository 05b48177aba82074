/** Orders passages by how near they are to a text (SuRe appendix C.2; reranking by an embedding). */
import { cosine } from '../llm/vectors.js';
import type { PassageRef } from '../methods/vocabulary.js';
import { passageText } from '../retrieval/passage-text.js';
import { type EmbeddingOutput, embeddingOutput } from './embedding-step.js';
import type { Ports } from './ports.js';
import { type CallBounds, providerCall } from './provider-call.js';
import { readPassages } from './run-model-step.js';

export interface RankBySimilarityInput {
  /** What the passages should be near to: a question, a summary. */
  text: string;
  /** Ids, few enough for one request. */
  passages: string[];
  /** How many to give back, at most. */
  count: number;
}

/** Best first; the score is the cosine, and equal ones keep their order. */
export type RankBySimilarityActivity = (
  input: RankBySimilarityInput,
  /** Null when the passages came with the question. */
  corpus: string | null,
  bounds: CallBounds,
) => Promise<EmbeddingOutput<PassageRef[]>>;

/** Makes the activity: one request for the text and the passages, without those embedded before. */
export function rankBySimilarityActivity(ports: Ports): RankBySimilarityActivity {
  const { embeddings } = ports;
  return ({ text, passages, count }, corpus, bounds) =>
    providerCall(bounds, async (signal) => {
      const found = await readPassages(passages, corpus, ports);
      const embedded = await embeddings.embed([text, ...found.map(passageText)], signal);
      const [wanted = [], ...vectors] = embedded.vectors;
      const ranked = found
        .map(({ id, title }, k) => ({ id, title, score: similarity(wanted, vectors[k] ?? []) }))
        .sort((a, b) => b.score - a.score);
      return embeddingOutput(ranked.slice(0, count), embedded, embeddings);
    });
}

/** Seven digits: the vectors hold no more, and histories keep them. */
function similarity(a: number[], b: number[]): number {
  return Number(cosine(a, b).toPrecision(7));
}
