/** Orders passages by how well a cross-encoder finds them to fit a text (LLatrieval 4.1). */
import { Failure } from '../../core/failure.js';
import { passageText } from '../../retrieval/passage-text.js';
import type { RankBySimilarityActivity } from '../../workflows/activities/question.js';
import { usageOfKept } from '../runtime/embedding-step.js';
import { estimateTextLoss } from '../runtime/estimate-loss.js';
import { askKept } from '../runtime/keep.js';
import type { Ports } from '../runtime/ports.js';
import { providerCall } from '../runtime/provider-call.js';
import { readPassages } from '../runtime/render-prompt.js';
import { bestFirst } from './rank-by-similarity.js';

/**
 * Makes the activity, whose input and result are those of ranking by similarity: one request, or
 * none where the store has the scores.
 */
export function rankByCrossEncoderActivity(ports: Ports): RankBySimilarityActivity {
  return ({ text, passages, count }, corpus, bounds) =>
    providerCall(bounds, async (signal, soFar) => {
      const { reranker, prices } = ports;
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
      const saved = answer.cached
        ? estimateTextLoss([text, ...texts], reranker, prices)
        : undefined;
      return {
        value: bestFirst(found, answer.scores).slice(0, count),
        usage: usageOfKept(answer, saved, paid, soFar),
        model: reranker.model,
      };
    });
}

const NOT_SET_UP =
  'crossEncoder: this worker has none. Set DURABLE_RAG_RERANK_URL to a /rerank endpoint ' +
  'and DURABLE_RAG_RERANK_MODEL to its model in the environment of the worker, or rank by "embedding".';
