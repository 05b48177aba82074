/** Orders passages by how near they are to a text (SuRe appendix C.2; reranking by an embedding). */

import type { Passage, PassageRef } from '../../core/vocabulary.js';
import { cosine } from '../../llm/vectors.js';
import { passageText } from '../../retrieval/passage-text.js';
import type { RankBySimilarityActivity } from '../../workflows/activities/question.js';
import { embedKept } from '../runtime/embedding-step.js';
import type { Ports } from '../runtime/ports.js';
import { providerCall } from '../runtime/provider-call.js';
import { readPassages } from '../runtime/render-prompt.js';

/** Makes the activity: one request for the text and the passages, without those embedded before. */
export function rankBySimilarityActivity(ports: Ports): RankBySimilarityActivity {
  const { embeddings } = ports;
  return ({ text, passages, count }, corpus, bounds) =>
    providerCall(bounds, async (signal, soFar) => {
      const found = await readPassages(passages, corpus, ports);
      const texts = [text, ...found.map(passageText)];
      const { vectors, usage } = await embedKept(texts, ports, signal, soFar);
      const value = nearestFirst(found, vectors).slice(0, count);
      return { value, usage, model: embeddings.model };
    });
}

/** @param vectors That of the text, then those of the passages. */
export function nearestFirst(
  passages: readonly Passage[],
  [wanted = [], ...others]: readonly (readonly number[])[],
): PassageRef[] {
  return bestFirst(
    passages,
    others.map((vector) => cosine(wanted, vector)),
  );
}

/** Seven digits: what comes after them is noise, and histories keep them. */
export function bestFirst(passages: readonly Passage[], scores: readonly number[]): PassageRef[] {
  return passages
    .map(({ id, title }, k) => ({ id, title, score: Number((scores[k] ?? 0).toPrecision(7)) }))
    .sort((a, b) => b.score - a.score);
}
