/** Contract tests for embedding models and rerankers. */
import assert from 'node:assert/strict';
import type { EmbeddingModel } from '../llm/embedding-model.js';
import type { Reranker } from '../llm/reranker.js';
import { type ContractCase, caseWith } from './contract-case.js';
import {
  assertNoSecret,
  assertRequests,
  assertUsage,
  failureCases,
  never,
  type ProviderParts,
} from './provider-scenario.js';

const TEXTS = ['The river flows.', 'Ein Arzt hilft: Grüße, 世界 🌍', 'A car drives.'];

/**
 * Returns an array of test cases, each with `name` and `run`, for an embedding model; behaviour
 * without a scenario is not tested.
 */
export function embeddingModelContract(parts: ProviderParts<EmbeddingModel>): ContractCase[] {
  const name = 'returns one vector per text, all of one length, by at most one request';
  return [
    caseWith(parts.answers, name, async ({ model, requests }) => {
      const { vectors, usage, costUsd } = await model.embed(TEXTS, never());
      assert.equal(vectors.length, TEXTS.length);
      const length = vectors[0]?.length ?? 0;
      assert.ok(length > 0);
      for (const vector of vectors) {
        assert.equal(vector.length, length);
        assert.ok(vector.every(Number.isFinite), 'numbers all the way');
      }
      if (model.dimensions !== undefined) assert.equal(length, model.dimensions);
      assertUsage(usage, costUsd);
      assert.equal(usage?.completionTokens ?? 0, 0);
      if (requests) assert.ok(requests() <= 1);
    }),
    ...textCases(parts, async (model, texts, signal) => (await model.embed(texts, signal)).vectors),
  ];
}

const QUERY = 'Who helps?';

/**
 * Returns an array of test cases, each with `name` and `run`, for a reranker. Most of them have it
 * score the same three documents, so a stub of its provider must answer with three scores.
 * Failures, and the cancellation of a running call, are tested only if `parts` has a function that
 * causes them.
 */
export function rerankerContract(parts: ProviderParts<Reranker>): ContractCase[] {
  const name = 'returns one score per document, by at most one request';
  return [
    caseWith(parts.answers, name, async ({ model, requests }) => {
      const { scores, usage, costUsd } = await model.score(QUERY, TEXTS, never());
      assert.equal(scores.length, TEXTS.length);
      assert.ok(scores.every(Number.isFinite), 'scores are numbers');
      assertUsage(usage, costUsd);
      if (requests) assert.ok(requests() <= 1);
    }),
    ...textCases(
      parts,
      async (model, texts, signal) => (await model.score(QUERY, texts, signal)).scores,
    ),
  ];
}

/** Returns the common cases of models that return a value for each text. */
function textCases<M extends EmbeddingModel | Reranker>(
  parts: ProviderParts<M>,
  give: (model: M, texts: readonly string[], signal: AbortSignal) => Promise<unknown[]>,
): ContractCase[] {
  const { answers, secrets } = parts;
  return [
    caseWith(answers, 'gives nothing for no texts, and asks nobody', async (scenario) => {
      assert.deepEqual(await give(scenario.model, [], never()), []);
      assertRequests(scenario, 0);
    }),
    caseWith(answers, 'has a name for what it gives, which is no secret', async ({ model }) => {
      assert.ok(typeof model.model === 'string' && model.model !== '');
      assertNoSecret(model.model, secrets);
    }),
    ...failureCases(parts, (model, signal) => give(model, TEXTS, signal)),
  ];
}
