/** What requests that gave no answer may cost is counted, of calls as of vectors and scores. */
import { describe, expect, it } from 'vitest';
import type { Ports } from '../../activities/runtime/ports.js';
import { modelActivity } from '../../activities/runtime/run-model-step.js';
import { createEmbeddingActivities } from '../../activities/steps/other.js';
import { Failure, type FailureType } from '../../core/failure.js';
import type { CallUsage } from '../../core/usage.js';
import { EmbeddingCache } from '../../llm/embedding-cache.js';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import { RerankCache } from '../../llm/rerank-cache.js';
import type { Reranker } from '../../llm/reranker.js';
import { read } from '../../steps/readers.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { attempt } from '../support/activity.js';
import { tokens } from '../support/completion.js';
import { cancelling } from '../support/paying-workers.js';
import { testPorts } from '../support/ports.js';
import { modelThatSays } from '../support/saying.js';

const ANSWERED = { usage: tokens(8), costUsd: 8e-6 };
const PRICES = new Map([['priced', { prompt: 1, cachedPrompt: 1, completion: 1 }]]);

/** What a request meets: a failure, an answer, or silence until it is given up. */
type Said = Failure | 'answer' | 'silence';

function worker(script: Said[], { provider = 'https://api.example/v1', model = 'priced' } = {}) {
  const sent: string[] = [];
  async function reply(texts: readonly string[], signal: AbortSignal) {
    sent.push(...texts);
    const said = script.shift();
    if (said instanceof Failure) throw said;
    if (said === 'answer') return ANSWERED;
    return new Promise<never>((_, fail) => {
      signal.addEventListener('abort', () => fail(signal.reason as Error));
    });
  }
  const llm = modelThatSays(
    async ({ prompt, signal }) => ({ text: 'Bell', ...(await reply([prompt], signal)) }),
    provider,
  );
  const embeddings: EmbeddingModel = {
    ...{ provider, model },
    embed: async (texts, signal) => ({
      ...(await reply(texts, signal)),
      vectors: texts.map(() => [1]),
    }),
  };
  const reranker: Reranker = {
    ...{ provider, model },
    score: async (query, documents, signal) => ({
      ...(await reply([query, ...documents], signal)),
      scores: documents.map(() => 1),
    }),
  };
  const store = new MemoryStore();
  const ports = testPorts(llm, {
    embeddings: new EmbeddingCache(embeddings, store),
    reranker: new RerankCache(reranker, store),
    prices: PRICES,
    defaultModel: model,
  }) as Ports;
  const tokensSent = () => sent.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
  return { ports, sent, tokensSent };
}

type Ask = (ports: Ports, timeoutSeconds?: number) => Promise<{ usage: CallUsage }>;

const call: Ask = (ports, timeoutSeconds = 60) =>
  modelActivity(read, ports)(
    { question: 'Who?', passages: [], demonstrations: [] },
    { model: ports.defaultModel, corpus: null, timeoutSeconds },
  );
const embed: Ask = (ports, timeoutSeconds = 60) =>
  createEmbeddingActivities(ports).embedTexts(
    { texts: ['Who wrote it?', 'a novel'] },
    { timeoutSeconds },
  );
const score: Ask = (ports, timeoutSeconds = 60) =>
  createEmbeddingActivities(ports).rankByCrossEncoder(
    { text: 'Who?', passages: ['p1', 'p2'], count: 2 },
    'sample',
    { timeoutSeconds },
  );

describe.each([
  ['an answer', call],
  ['vectors', embed],
  ['scores', score],
])('a request for %s', (_, ask) => {
  it.each<FailureType>(['Timeout', 'Connection', 'MalformedResponse'])(
    'is counted after a failure of type %s, with all its texts',
    async (type) => {
      const { ports, tokensSent } = worker([new Failure(type, 'No answer.'), 'answer']);
      const first = await attempt(() => ask(ports));
      const least = tokensSent();
      const { value } = await attempt(() => ask(ports), { details: first.details });
      const { estimated } = value?.usage ?? {};
      expect(estimated).toMatchObject({ attempts: 1, repeated: 0 });
      const { promptTokens = 0, completionTokens = 0 } = estimated ?? {};
      expect(promptTokens).toBeGreaterThanOrEqual(least);
      expect(completionTokens > 0).toBe(ask === call);
      // A dollar for a million tokens.
      const usd = (promptTokens + completionTokens) / 1e6;
      expect(estimated?.costUsd).toBeCloseTo(usd, 12);
      expect(value?.usage.costUsd).toBeCloseTo(ANSWERED.costUsd + usd, 12);
      expect(value?.usage.promptTokens).toBe(8 + promptTokens);
    },
  );

  it.each([
    new Failure('RateLimited', 'Later.'),
    new Failure('Overloaded', 'Later.'),
    new Failure('Connection', 'Nothing answers.', {
      cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    }),
  ])('is not counted where it was refused ($type)', async (failure) => {
    const { ports } = worker([failure, 'answer']);
    const first = await attempt(() => ask(ports));
    const { value } = await attempt(() => ask(ports), { details: first.details });
    expect(value?.usage).not.toHaveProperty('estimated');
    expect(value?.usage.costUsd).toBe(ANSWERED.costUsd);
  });

  it('is counted where it took longer than it may, and told by an activity that fails', async () => {
    const { ports } = worker(['silence', 'silence']);
    const first = await attempt(() => ask(ports, 0.1));
    expect(first.failure).toMatchObject({
      type: 'Timeout',
      details: [{ estimated: { attempts: 1 } }],
    });
    const second = await attempt(() => ask(ports, 0.1), { details: first.details });
    expect(second.failure?.details).toMatchObject([{ estimated: { attempts: 2 } }]);
  });

  it('costs nothing where the model is on this machine, and an unknown sum without a price', async () => {
    const costOf = async (named: { provider?: string; model?: string }) => {
      const { ports } = worker([new Failure('Timeout', 'No answer.')], named);
      const { failure } = await attempt(() => ask(ports));
      return failure?.details;
    };
    const unpriced = { model: 'unpriced' };
    expect(await costOf({ ...unpriced, provider: 'local' })).toMatchObject([
      { estimated: { costUsd: 0 } },
    ]);
    expect(await costOf({ ...unpriced, provider: 'http://127.0.0.1:8080/v1' })).toMatchObject([
      { estimated: { costUsd: 0 } },
    ]);
    expect(await costOf(unpriced)).toMatchObject([{ estimated: { costUsd: null } }]);
  });

  it('is told where it is cancelled under way', async () => {
    const { ports, sent } = worker(['silence']);
    const { options, cancel } = cancelling({ cancelRequested: true });
    const open = attempt(() => ask(ports), options);
    await expect.poll(() => sent.length).toBeGreaterThan(0);
    cancel();
    expect((await open).failure).toMatchObject({
      name: 'CancelledFailure',
      details: [{ estimated: { attempts: 1, repeated: 0 } }],
    });
  });
});
