/** A part that violates its interface: told once, by the port and the field, and never again. */
import { describe, expect, it } from 'vitest';
import { createSearchActivities } from '../../activities/runtime/non-model-steps.js';
import type { Ports } from '../../activities/runtime/ports.js';
import { EmbeddingCache } from '../../llm/embedding-cache.js';
import { RerankCache } from '../../llm/rerank-cache.js';
import { ResponseCache } from '../../llm/response-cache.js';
import { withOwnCorpora } from '../../retrieval/own-corpora.js';
import type { Retriever } from '../../retrieval/retriever.js';
import { checkedStore } from '../../stores/checked-store.js';
import type { KeyValueStore } from '../../stores/key-value-store.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { attempts } from '../support/activity.js';
import { completionOf, tokens } from '../support/completion.js';
import { passages, testPorts } from '../support/ports.js';
import { answer, scores, vectors } from './paying.js';

const usage = tokens(3, 1);
const completion = completionOf({ text: 'Bell', usage });
const provider = 'https://models.example';

/** The one failure of an activity, whatever it is tried. */
async function failureOf<T>(activity: () => Promise<T>) {
  const { failure, times } = await attempts(activity, 10);
  expect(failure).toMatchObject({ type: 'Incompatible', nonRetryable: true });
  expect(times).toBe(1);
  return failure;
}

const portsWith = (changes: Partial<Ports>) =>
  testPorts(scriptedModel([{ step: 'read', say: 'Bell' }]), changes) as Ports;

describe('a language model', () => {
  const counting = (more: object) => ({ ...completion, usage: { ...usage, ...more } });

  it.each<[string, unknown, string]>([
    ['without usage', { ...completion, usage: undefined }, 'returned.usage: is missing'],
    ['that counts in words', counting({ promptTokens: 'many' }), 'usage.promptTokens: must be'],
    ['that counts below nothing', counting({ completionTokens: -1 }), 'usage.completionTokens: '],
    ['with a text that is none', { ...completion, text: null }, 'returned.text: must be'],
    ['that does not say how it ended', { ...completion, end: undefined }, 'returned.end: '],
    ['that says nothing', undefined, 'returned: is missing'],
    ['that answers by a text alone', 'Bell', 'returned: must be an object with text'],
  ])('%s', async (_, said, field) => {
    const llm = { provider, complete: async () => said as never };
    const failure = await failureOf(() => answer(portsWith({ llm })));
    expect(failure?.message).toContain('LanguageModel.complete violates its interface: ');
    expect(failure?.message).toContain(field);
    expect(failure?.details?.[0]).toMatchObject({ estimated: { attempts: 1 } });
  });
});

it.each<[string, object, string]>([
  ['without usage', { vectors: [[1], [2]], costUsd: 0 }, 'returned.usage: is missing'],
  ['with a vector too few', { vectors: [[1]], usage, costUsd: 0 }, '1 vectors for 2 texts'],
  ['of two lengths', { vectors: [[1], [1, 2]], usage, costUsd: 0 }, 'returned.vectors.1'],
  ['with no number', { vectors: [[1], [Number.NaN]], usage, costUsd: 0 }, 'returned.vectors.1'],
  ['with empty vectors', { vectors: [[], []], usage, costUsd: 0 }, 'returned.vectors.0'],
  ['with no list', { vectors: [[1], 'ab'], usage, costUsd: 0 }, 'returned.vectors.1'],
])('an embedding model: %s', async (_, said, field) => {
  const model = { provider, model: 'mine', embed: async () => said as never };
  const embeddings = new EmbeddingCache(model, new MemoryStore());
  const failure = await failureOf(() => vectors(portsWith({ embeddings })));
  expect(failure?.message).toContain('EmbeddingModel.embed violates its interface: ');
  expect(failure?.message).toContain(field);
});

it.each<[string, object, string]>([
  ['without usage', { scores: [1, 2], costUsd: 0 }, 'returned.usage: is missing'],
  ['with a score too few', { scores: [1], usage, costUsd: 0 }, '1 scores for 2 documents'],
  ['with no number', { scores: [1, null], usage, costUsd: 0 }, 'returned.scores.1: must be'],
])('a reranker: %s', async (_, said, field) => {
  const model = { provider, model: 'mine', score: async () => said as never };
  const reranker = new RerankCache(model, new MemoryStore());
  const failure = await failureOf(() => scores(portsWith({ reranker })));
  expect(failure?.message).toContain('Reranker.score violates its interface: ');
  expect(failure?.message).toContain(field);
});

describe('a retriever', () => {
  const sound: Retriever = {
    search: async () => [{ id: 'p1', title: 'T', score: 1 }],
    get: async () => passages.slice(0, 2),
  };
  const corpora = (fault: object) =>
    withOwnCorpora({} as never, { wiki: { ...sound, ...fault } as Retriever });

  it.each<[string, unknown, string]>([
    ['no list', { hits: [] }, 'returned: must be a list'],
    ['no title', [{ id: 'p1', score: 1 }], 'returned.0.title: is missing'],
    ['a score in words', [{ id: 'p1', title: '', score: 'high' }], 'returned.0.score: must be'],
  ])('that finds %s', async (_, found, field) => {
    const ports = portsWith({ corpora: corpora({ search: async () => found }) });
    const search = createSearchActivities(ports).retrieve;
    const failure = await failureOf(() =>
      search({ query: 'Who?', count: 3 }, { corpus: 'wiki' }, {}),
    );
    expect(failure?.message).toContain('Retriever.search of corpus "wiki" violates its interface');
    expect(failure?.message).toContain(field);
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'returned: is missing'],
    ['a passage without a text', [{ id: 'p1', title: '' }], 'returned.0.text: is missing'],
    ['one too few', passages.slice(0, 1), '1 came for 2'],
    ['another order', [passages[1], passages[0]], 'in their order'],
  ])('that gives %s', async (_, got, field) => {
    const wiki = await corpora({ get: async () => got }).open('wiki');
    await expect(wiki.get(['p1', 'p2'])).rejects.toMatchObject({
      type: 'Incompatible',
      retryable: false,
      message: expect.stringContaining(field),
    });
  });
});

describe('a store', () => {
  const withFault = (fault: object) =>
    checkedStore(Object.assign(new MemoryStore(), fault) as KeyValueStore);

  it.each<[string, object, string]>([
    ['null for nothing', { get: async () => null }, 'KeyValueStore.get '],
    ['a word for a yes', { setIfAbsent: async () => 'OK' }, 'KeyValueStore.setIfAbsent '],
    ['nothing for a yes', { compareAndSet: async () => undefined }, 'KeyValueStore.compareAndSet '],
  ])('that returns %s', async (_, fault, method) => {
    const responses = new ResponseCache(withFault(fault));
    const failure = await failureOf(() => answer(portsWith({ responses })));
    expect(failure?.message).toContain(`${method}violates its interface: returned: `);
  });

  it('that lists keys alone', async () => {
    const list = async function* () {
      yield 'key';
    };
    const listed = withFault({ list }).list('');
    await expect(listed[Symbol.asyncIterator]().next()).rejects.toThrow(
      'KeyValueStore.list violates its interface: returned: must be an object with key',
    );
  });
});
