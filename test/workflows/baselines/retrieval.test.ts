import { describe, expect, it, onTestFinished } from 'vitest';
import { sampleSeed } from '../../../core/sampler.js';
import { createRerankEndpoint } from '../../../llm/openai/rerank-endpoint.js';
import { RerankCache } from '../../../llm/rerank-cache.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import type { Line } from '../../../testing/scripted-model.js';
import { type ReplySpec, startModelServer } from '../../support/model-server.js';
import { runScripted } from '../../support/run-scripted.js';
import { corporaThatFind } from '../../support/searches.js';
import { QUESTION } from '../../support/telephone.js';

const reads: Line = { step: 'read', say: 'Bell' };

/** Ids of the passages a prompt shows, in order. */
const shown = (prompt = '') =>
  [...prompt.matchAll(/Text of passage (\d+)\./g)].map(([, number]) => `p${number}`);

describe('hyde', () => {
  const written: Line = { step: 'hypotheticalPassage', say: 'Passage: Bell was granted it.' };
  const find = (query: string) => (query === QUESTION ? ['p1'] : ['p5', 'p3']);

  it('searches with a passage that might answer the question', async () => {
    const corpora = corporaThatFind(find);
    const { result, model } = await runScripted('hyde', [written, reads], {}, { corpora });
    expect(corpora.queries).toEqual(['Bell was granted it.']);
    expect(result).toMatchObject({
      outcome: 'answered',
      answer: 'Bell',
      evidence: ['p5', 'p3'],
      retrievals: 1,
      usage: { calls: 2 },
      chain: { hypothesis: 'Bell was granted it.', reading: 'Bell' },
    });
    expect(shown(model.requests[1]?.prompt)).toEqual(['p5', 'p3']);
    expect(model.requests[0]?.request.temperature).toBe(0);
  });

  it('searches with the question when the passage cannot be read', async () => {
    const corpora = corporaThatFind(find);
    const script: Line[] = [{ step: 'hypotheticalPassage', say: '' }, reads];
    const { result } = await runScripted('hyde', script, { limits: { reasks: 0 } }, { corpora });
    expect(corpora.queries).toEqual([QUESTION]);
    expect(result).toMatchObject({ evidence: ['p1'], chain: { hypothesis: null } });
  });

  it('answers with citations where they are asked for', async () => {
    const cited: Line = { step: 'answerWithCitations', say: 'It was Bell [2][7].' };
    const input = { options: { answerForm: 'prose' } } as const;
    const corpora = corporaThatFind(find);
    const { result } = await runScripted('hyde', [written, cited], input, { corpora });
    expect(result).toMatchObject({
      answer: 'It was Bell [2].',
      flags: [{ kind: 'unknownCitations', detail: '[7] of 2' }],
      chain: { reading: 'It was Bell [2][7].', citations: [{ number: 2, passage: 'p3' }] },
    });
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
  const find = (query: string) => found[query] ?? [];
  const writes = (say: string, sample: number): Line => ({
    step: 'hypotheticalPassage',
    say,
    seed: sampleSeed(0, sample),
  });
  const script = [writes('One', 0), writes('Two', 1), writes('...', 2), reads];
  const input = { options: { queries: 3, passages: 3 }, limits: { reasks: 0 } };

  it('searches with passages written from what the question finds, and merges', async () => {
    const corpora = corporaThatFind(find);
    const { result, model, asked } = await runScripted('lamer', script, input, { corpora });
    expect(asked).toEqual({ hypotheticalPassage: 3, read: 1 });
    expect(corpora.queries.toSorted()).toEqual(['One', 'Two', QUESTION]);
    expect(result).toMatchObject({
      answer: 'Bell',
      evidence: ['p4', 'p3', 'p6'],
      retrievals: 3,
      usage: { calls: 3 + 1 },
      flags: [{ kind: 'fallback', step: 'hypotheticalPassage' }],
    });
    expect(result.chain?.searches).toEqual([
      { query: 'One', found: ['p3', 'p4', 'p5'] },
      { query: 'Two', found: ['p6', 'p4'] },
    ]);
    const writing = model.requests.filter(({ step }) => step === 'hypotheticalPassage');
    for (const { prompt } of writing) expect(shown(prompt)).toEqual(['p1', 'p2']);
    expect(writing.map(({ request }) => request.temperature).sort()).toEqual([0, 0.7, 0.7]);
  });

  it('searches once for passages that are the same', async () => {
    const corpora = corporaThatFind(find);
    const same = [writes('One', 0), writes('One', 1), writes('One', 2), reads];
    const { result } = await runScripted('lamer', same, input, { corpora });
    expect(result).toMatchObject({ retrievals: 2, evidence: ['p3', 'p4', 'p5'] });
  });

  it('searches with sub-questions', async () => {
    const corpora = corporaThatFind(find);
    const queries: Line = { step: 'askSubQueries', say: '1. One\n2. Two' };
    const options = { ...input.options, queryStyle: 'question' } as const;
    const { result } = await runScripted('lamer', [queries, reads], { options }, { corpora });
    expect(result).toMatchObject({ evidence: ['p4', 'p3', 'p6'], usage: { calls: 2 } });
    expect(result.chain?.context).toEqual([]);
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
  const ranks = (say: string): Line => ({ step: 'rankPassages', say });
  const script = [ranks('[3] > [9] > [3]'), ranks('I cannot.'), ranks('2 > 1'), reads];
  const options = { candidates: 6, passages: 2, window: 3, stride: 2 };
  const input = { options, limits: { reasks: 0 } };

  it('puts windows in order from the back to the front, and reads the first', async () => {
    const { result, model } = await runScripted('rankGpt', script, input);
    const prompts = model.requests.map(({ prompt }) => shown(prompt));
    expect(prompts).toEqual([
      ['p4', 'p5', 'p6'],
      ['p2', 'p3', 'p6'],
      ['p1', 'p2'],
      ['p2', 'p1'],
    ]);
    expect(result).toMatchObject({
      answer: 'Bell',
      evidence: ['p2', 'p1'],
      usage: { calls: 3 + 1 },
      flags: [{ kind: 'fallback', step: 'rankPassages' }],
    });
    expect(result.chain?.windows).toEqual([
      { start: 3, end: 6, order: ['p6', 'p4', 'p5'] },
      { start: 1, end: 4, order: ['p2', 'p3', 'p6'] },
      { start: 0, end: 2, order: ['p2', 'p1'] },
    ]);
    expect(result.chain?.order).toEqual(['p2', 'p1', 'p3', 'p6', 'p4', 'p5']);
  });

  it.each([1, 0])('has nothing to rank among %i passages', async (count) => {
    const corpora = corporaThatFind(() => ['p1'].slice(0, count));
    const { result, asked } = await runScripted('rankGpt', [reads], {}, { corpora });
    expect(asked).toEqual({ read: 1 });
    expect(result.evidence).toHaveLength(count);
  });
});

describe('rerankPassages', () => {
  const options = { candidates: 3, passages: 2 };
  const crossEncoder = { options: { ...options, by: 'crossEncoder' }, cache: false } as const;

  async function rerankerThatGets(...replies: ReplySpec[]) {
    const server = await startModelServer({ reply: (_, n) => replies[n] ?? 'reset' });
    onTestFinished(() => server.close());
    const baseUrl = `${server.baseUrl}/rerank`;
    const endpoint = { baseUrl, model: 'bge-reranker', timeoutMs: 10_000, prices: new Map() };
    const reranker = new RerankCache(createRerankEndpoint(endpoint), new MemoryStore());
    return { server, reranker };
  }

  const scores = [0.1, 0.9, 0.5].map((relevance_score, index) => ({ index, relevance_score }));
  const ranked: ReplySpec = {
    status: 200,
    body: { model: 'bge-reranker', results: scores, usage: { total_tokens: 40 } },
  };

  it('reads the best by a cross-encoder', async () => {
    const { server, reranker } = await rerankerThatGets(ranked, ranked);
    const { result, model } = await runScripted('rerankPassages', [reads], crossEncoder, {
      reranker,
    });
    expect(result).toMatchObject({
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
    });
    expect(shown(model.requests[0]?.prompt)).toEqual(['p2', 'p3']);
    expect(server.requests[0]?.body).toMatchObject({
      query: QUESTION,
      documents: [1, 2, 3].map((n) => `Title ${n}\nText of passage ${n}.`),
    });

    const { result: again } = await runScripted('rerankPassages', [reads], crossEncoder, {
      reranker,
    });
    expect(server.requests).toHaveLength(1);
    expect(again).toMatchObject({
      evidence: ['p2', 'p3'],
      steps: { rankByCrossEncoder: { cachedCalls: 1, promptTokens: 0 } },
    });
  });

  it('says what to set where there is no cross-encoder', async () => {
    const { result } = await runScripted('rerankPassages', [], crossEncoder);
    expect(result).toMatchObject({
      outcome: 'failed',
      failure: { type: 'BadInput', step: 'rankByCrossEncoder' },
    });
    expect(result.failure?.message).toMatch(/DURABLE_RAG_RERANK_URL .* DURABLE_RAG_RERANK_MODEL/);
  });
});
