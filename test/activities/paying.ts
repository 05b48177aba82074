/** Activities that pay for something: an answer of a model, vectors, scores. */

import { createEmbeddingActivities } from '../../activities/runtime/non-model-steps.js';
import type { Ports } from '../../activities/runtime/ports.js';
import { modelActivity } from '../../activities/runtime/run-model-step.js';
import { parseTemplate } from '../../activities/runtime/template.js';
import type { CallUsage } from '../../core/usage.js';
import { EmbeddingCache } from '../../llm/embedding-cache.js';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import { RerankCache } from '../../llm/rerank-cache.js';
import type { Reranker } from '../../llm/reranker.js';
import { ResponseCache } from '../../llm/response-cache.js';
import type { SentCall } from '../../steps/call.js';
import { outputOfRow } from '../../steps/output-row.js';
import { read } from '../../steps/readers.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { tokens } from '../support/completion.js';
import { testPorts } from '../support/ports.js';
import { modelThatSays } from '../support/saying.js';

export type Pay = (ports: Ports, call?: Partial<SentCall>) => Promise<{ usage: CallUsage }>;

export const answer = async (ports: Ports, call: Partial<SentCall> = {}) => {
  const { defaultModel: model } = ports;
  const given = { question: 'Who?', passages: [], demonstrations: [] };
  const row = await modelActivity(read, ports)(given, { model, corpus: null, ...call });
  return outputOfRow(row, model);
};
export const vectors: Pay = async (ports, bounds = {}) => {
  const { embedTexts } = createEmbeddingActivities(ports);
  return outputOfRow(await embedTexts({ texts: ['Who wrote it?', 'a novel'] }, bounds));
};
export const scores: Pay = async (ports, bounds = {}) => {
  const { rankByCrossEncoder } = createEmbeddingActivities(ports);
  const query = { text: 'Who?', passages: ['p1', 'p2'], count: 2 };
  return outputOfRow(await rankByCrossEncoder(query, 'sample', bounds));
};

export const PAYING: [string, Pay][] = [
  ['an answer', answer],
  ['vectors', vectors],
  ['scores', scores],
];

/** One for every step, in memory: a test's own clock does not wait for a disk. */
export const prompts: Ports['prompts'] = {
  load: async (_, name) => parseTemplate(name, '{{question}}'),
  hashes: async () => ({}),
  pin: async (set) => set,
  pinWith: async (set) => set,
};

/** What each request takes. */
export const TAKEN = { usage: tokens(8), costUsd: 8e-6 };

/** Parts of a worker whose provider gives what it is asked for once `give` has ended. */
export function payingPorts(
  give: (texts: readonly string[], signal: AbortSignal) => Promise<unknown>,
  {
    provider = 'https://api.example/v1',
    model = 'scripted-1',
    store = new MemoryStore(),
  }: { provider?: string; model?: string; store?: MemoryStore } = {},
): Ports {
  const llm = modelThatSays(async ({ prompt, signal }) => {
    await give([prompt], signal);
    return { text: 'Bell', ...TAKEN };
  }, provider);
  const embeddings: EmbeddingModel = {
    provider,
    model,
    async embed(texts, signal) {
      await give(texts, signal);
      return { vectors: texts.map(() => [1]), ...TAKEN };
    },
  };
  const reranker: Reranker = {
    provider,
    model,
    async score(query, documents, signal) {
      await give([query, ...documents], signal);
      return { scores: documents.map(() => 1), ...TAKEN };
    },
  };
  const changes = {
    prompts,
    responses: new ResponseCache(store),
    embeddings: new EmbeddingCache(embeddings, store),
    reranker: new RerankCache(reranker, store),
    defaultModel: model,
  };
  return testPorts(llm, changes) as Ports;
}
