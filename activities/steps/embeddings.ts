/** The steps that embed texts or score them: one request, or none where the store has all of it. */
import { Failure } from '../../core/failure.js';
import type { Passage, PassageRef } from '../../core/vocabulary.js';
import { cosine } from '../../llm/vectors.js';
import { passageText } from '../../retrieval/passage-text.js';
import type { EmbeddingActivities } from '../../workflows/activities/question.js';
import { embedKept, usageOfKept } from '../runtime/embedding-step.js';
import { estimateTextLoss } from '../runtime/estimate-loss.js';
import { askKept } from '../runtime/keep.js';
import type { Ports } from '../runtime/ports.js';
import { providerCall } from '../runtime/provider-call.js';
import { readPassages } from '../runtime/render-prompt.js';
import { rounded } from './searches.js';

export function createEmbeddingActivities(ports: Ports): EmbeddingActivities {
  const { embeddings, reranker, prices } = ports;
  return {
    embedTexts: ({ texts }, bounds) =>
      providerCall(bounds, async (signal, soFar) => {
        const { usage } = await embedKept(texts, ports, signal, soFar);
        const value = texts.map((text) => embeddings.keyOf(text));
        return { value, usage, model: embeddings.model };
      }),

    rankBySimilarity: ({ text, passages, count }, corpus, bounds) =>
      providerCall(bounds, async (signal, soFar) => {
        const found = await readPassages(passages, corpus, ports);
        const texts = [text, ...found.map(passageText)];
        const { vectors, usage } = await embedKept(texts, ports, signal, soFar);
        const value = nearestFirst(found, vectors).slice(0, count);
        return { value, usage, model: embeddings.model };
      }),

    rankByCrossEncoder: ({ text, passages, count }, corpus, bounds) =>
      providerCall(bounds, async (signal, soFar) => {
        if (!reranker) throw new Failure('BadInput', NOT_SET_UP);
        const found = await readPassages(passages, corpus, ports);
        const texts = found.map(passageText);
        const { answer, paid } = await askKept(
          {
            ask: (keeping) => reranker.score(text, texts, signal, keeping),
            store: (values) => reranker.store(values),
            loss: (asked) => estimateTextLoss(asked, reranker, prices),
          },
          soFar,
          signal,
        );
        const all = [text, ...texts];
        const saved = answer.cached ? estimateTextLoss(all, reranker, prices) : undefined;
        return {
          value: bestFirst(found, answer.scores).slice(0, count),
          usage: usageOfKept(answer, saved, paid, soFar),
          model: reranker.model,
        };
      }),
  };
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

export function bestFirst(passages: readonly Passage[], scores: readonly number[]): PassageRef[] {
  return passages
    .map(({ id, title }, k) => ({ id, title, score: rounded(scores[k] ?? 0) }))
    .sort((a, b) => b.score - a.score);
}

const NOT_SET_UP =
  'crossEncoder: this worker has none. Set DURABLE_RAG_RERANK_URL to a /rerank endpoint ' +
  'and DURABLE_RAG_RERANK_MODEL to its model in the environment of the worker, or rank by "embedding".';
