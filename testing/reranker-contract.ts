import assert from 'node:assert/strict';
import type { Reranker } from '../llm/reranker.js';
import type { ContractCase } from './contract-case.js';
import {
  assertNoSecret,
  assertRequests,
  assertUsage,
  never,
  type ProviderParts,
  troubleCases,
  withScenario,
} from './provider-scenario.js';

const QUERY = 'Who helps?';
const DOCUMENTS = ['The river flows.', 'A car drives.', 'A doctor helps.'];

/** Returns the cases, as far as the given scenarios go; they score three documents. */
export function rerankerContract(parts: ProviderParts<Reranker>): ContractCase[] {
  const { answers, secrets } = parts;
  return [
    {
      name: 'gives a score a document, by at most one request',
      run: () =>
        withScenario(answers, async ({ model, requests }) => {
          const { scores, usage, costUsd } = await model.score(QUERY, DOCUMENTS, never());
          assert.equal(scores.length, DOCUMENTS.length);
          assert.ok(scores.every(Number.isFinite), 'scores are numbers');
          assertUsage(usage, costUsd);
          if (requests) assert.ok(requests() <= 1);
        }),
    },
    {
      name: 'gives nothing for no documents, and asks nobody',
      run: () =>
        withScenario(answers, async (scenario) => {
          assert.deepEqual((await scenario.model.score(QUERY, [], never())).scores, []);
          assertRequests(scenario, 0);
        }),
    },
    {
      name: 'has a name for its scores, which is no secret',
      run: () =>
        withScenario(answers, async ({ model }) => {
          assert.ok(typeof model.model === 'string' && model.model !== '');
          assertNoSecret(model.model, secrets);
        }),
    },
    ...troubleCases(parts, (model, signal) => model.score(QUERY, DOCUMENTS, signal)),
  ];
}
