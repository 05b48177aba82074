import { describe, expect, it, onTestFinished } from 'vitest';
import { sampleSeed } from '../../../core/sampler.js';
import { createRerankEndpoint } from '../../../llm/openai/rerank-endpoint.js';
import { RerankCache } from '../../../llm/rerank-cache.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import type { ScriptedReply } from '../../../testing/scripted-model.js';
import { startModelServer } from '../../support/model-server.js';
import { says } from '../../support/run-scripted.js';
import { play, scenarios } from '../../support/scenarios.js';
import { QUESTION } from '../../support/telephone.js';

const reads = says('read', 'Bell');

/** Ids of the passages a prompt shows, in order. */
const shown = (prompt = '') =>
  [...prompt.matchAll(/Text of passage (\d+)\./g)].map(([, number]) => `p${number}`);

describe('hyde', () => {
  const written = says('hypotheticalPassage', 'Passage: Bell was granted it.');
  const finds = (query: string) => (query === QUESTION ? ['p1'] : ['p5', 'p3']);

  scenarios('hyde', {
    'searches with a passage that might answer the question': {
      script: [...written, ...reads],
      finds,
      queries: ['Bell was granted it.'],
      result: {
        outcome: 'answered',
        answer: 'Bell',
        evidence: ['p5', 'p3'],
        retrievals: 1,
        usage: { calls: 2 },
        chain: { hypothesis: 'Bell was granted it.', reading: 'Bell' },
      },
      check({ prompts, model }) {
        expect(shown(prompts('read')[0])).toEqual(['p5', 'p3']);
        expect(model.requests[0]?.request.temperature).toBe(0);
      },
    },
    'searches with the question when the passage cannot be read': {
      script: [...says('hypotheticalPassage', ''), ...reads],
      reasks: 0,
      finds,
      queries: [QUESTION],
      result: { evidence: ['p1'], chain: { hypothesis: null } },
    },
    'answers with citations where they are asked for': {
      script: [...written, ...says('answerWithCitations', 'It was Bell [2][7].')],
      options: { answerForm: 'prose' },
      finds,
      result: {
        answer: 'It was Bell [2].',
        flags: [{ kind: 'unknownCitations', detail: '[7] of 2' }],
        chain: { reading: 'It was Bell [2][7].', citations: [{ number: 2, passage: 'p3' }] },
      },
    },
  });
});

/**
 * Three passages are written from p1 and p2: one, "Two", and one that cannot be read. Then, by
 * reciprocal rank fusion of [p3, p4, p5] and [p6, p4]: p4 has 1/62 + 1/62, p3 and p6 1/61 each, of
 * which p3's list is the earlier one, p5 has 1/63.
 */
describe('lamer', () => {
  const found: Record<string, string[]> = {
    [QUESTION]: ['p1', 'p2'],
    One: ['p3', 'p4', 'p5'],
    Two: ['p6', 'p4'],
  };
  const writes = (...passages: string[]) =>
    passages.map(
      (say, i): ScriptedReply => ({ step: 'hypotheticalPassage', say, seed: sampleSeed(0, i) }),
    );
  const shared = {
    options: { queries: 3, passages: 3 },
    reasks: 0,
    finds: (query: string) => found[query] ?? [],
  };

  scenarios('lamer', {
    'searches with passages written from what the question finds, and merges': {
      ...shared,
      script: [...writes('One', 'Two', '...'), ...reads],
      flags: ['hypotheticalPassage fallback'],
      result: {
        answer: 'Bell',
        evidence: ['p4', 'p3', 'p6'],
        retrievals: 3,
        usage: { calls: 3 + 1 },
        chain: {
          searches: [
            { query: 'One', found: ['p3', 'p4', 'p5'] },
            { query: 'Two', found: ['p6', 'p4'] },
          ],
        },
      },
      check({ prompts, model }) {
        for (const prompt of prompts('hypotheticalPassage'))
          expect(shown(prompt)).toEqual(['p1', 'p2']);
        const temperatures = model.requests.map(({ request }) => request.temperature);
        expect(temperatures.sort()).toEqual([0, 0, 0.7, 0.7]);
      },
    },
    'searches once for passages that are the same': {
      ...shared,
      script: [...writes('One', 'One', 'One'), ...reads],
      result: { retrievals: 2, evidence: ['p3', 'p4', 'p5'] },
    },
    'searches with sub-questions': {
      ...shared,
      script: [...says('askSubQueries', '1. One\n2. Two'), ...reads],
      options: { ...shared.options, queryStyle: 'question' },
      result: { evidence: ['p4', 'p3', 'p6'], usage: { calls: 2 }, chain: { context: [] } },
    },
  });
});

/**
 * Six passages, w = 3, s = 2, so the windows are 4-6, 2-4 and 1-2. The first output names 6, then 9
 * (there is none), 6 again; the second cannot be read; the third turns the two around.
 *
 *     p1 p2 p3 [p4 p5 p6]   [3] > [9] > [3]   p6 p4 p5
 *     p1 [p2 p3 p6] p4 p5   (unreadable)      p2 p3 p6
 *     [p1 p2] p3 p6 p4 p5   [2] > [1]         p2 p1
 */
describe('rankGpt', () => {
  scenarios('rankGpt', {
    'puts windows in order from the back to the front, and reads the first': {
      script: [...says('rankPassages', '[3] > [9] > [3]', 'I cannot.', '2 > 1'), ...reads],
      options: { candidates: 6, passages: 2, window: 3, stride: 2 },
      reasks: 0,
      flags: ['rankPassages fallback'],
      result: {
        answer: 'Bell',
        evidence: ['p2', 'p1'],
        usage: { calls: 3 + 1 },
        chain: {
          windows: [
            { start: 3, end: 6, order: ['p6', 'p4', 'p5'] },
            { start: 1, end: 4, order: ['p2', 'p3', 'p6'] },
            { start: 0, end: 2, order: ['p2', 'p1'] },
          ],
          order: ['p2', 'p1', 'p3', 'p6', 'p4', 'p5'],
        },
      },
      check({ prompts }) {
        expect(prompts().map(shown)).toEqual([
          ['p4', 'p5', 'p6'],
          ['p2', 'p3', 'p6'],
          ['p1', 'p2'],
          ['p2', 'p1'],
        ]);
      },
    },
  });

  it.each([1, 0])('has nothing to rank among %i passages', async (length) => {
    const finds = () => ['p1'].slice(0, length);
    await play('rankGpt', { script: reads, finds, result: { evidence: { length } } });
  });
});

describe('rerankPassages', () => {
  const options = { candidates: 3, passages: 2, by: 'crossEncoder' } as const;
  const shared = { options, input: { cache: false } };
  const scores = [0.1, 0.9, 0.5].map((relevance_score, index) => ({ index, relevance_score }));

  it('reads the best by a cross-encoder, which is asked once', async () => {
    const body = { model: 'bge-reranker', results: scores, usage: { total_tokens: 40 } };
    const server = await startModelServer({ reply: () => ({ status: 200, body }) });
    onTestFinished(() => server.close());
    const baseUrl = `${server.baseUrl}/rerank`;
    const endpoint = { baseUrl, model: 'bge-reranker', timeoutMs: 10_000, prices: new Map() };
    const reranker = new RerankCache(createRerankEndpoint(endpoint), new MemoryStore());
    const scenario = { ...shared, script: reads, changes: { reranker } };
    await play('rerankPassages', {
      ...scenario,
      result: {
        answer: 'Bell',
        evidence: ['p2', 'p3'],
        usage: { calls: 2, promptTokens: 140, costUsd: 0.001 },
        steps: { rankByCrossEncoder: { calls: 1, cachedCalls: 0, models: ['bge-reranker'] } },
        chain: {
          passages: [{ id: 'p1' }, { id: 'p2' }, { id: 'p3' }],
          rankings: [
            {
              by: 'crossEncoder',
              ranked: [
                { id: 'p2', title: 'Title 2', score: 0.9 },
                { id: 'p3', title: 'Title 3', score: 0.5 },
                { id: 'p1', title: 'Title 1', score: 0.1 },
              ],
            },
          ],
        },
      },
      check({ prompts }) {
        expect(shown(prompts('read')[0])).toEqual(['p2', 'p3']);
      },
    });
    await play('rerankPassages', {
      ...scenario,
      result: {
        evidence: ['p2', 'p3'],
        steps: { rankByCrossEncoder: { cachedCalls: 1, promptTokens: 0 } },
      },
    });
    expect(server.requests.map(({ body }) => body)).toMatchObject([
      { query: QUESTION, documents: [1, 2, 3].map((n) => `Title ${n}\nText of passage ${n}.`) },
    ]);
  });

  it('says what to set where there is no cross-encoder', async () => {
    const message = expect.stringMatching(/DURABLE_RAG_RERANK_URL .* DURABLE_RAG_RERANK_MODEL/);
    const failure = { type: 'BadInput', step: 'rankByCrossEncoder', message };
    await play('rerankPassages', { ...shared, script: [], result: { outcome: 'failed', failure } });
  });
});
