/** The contracts find what is wrong: each fault breaks a case, and nothing breaks without one. */
import { expect, test } from 'vitest';
import { Failure } from '../../core/failure.js';
import type { Completion, CompletionRequest, LanguageModel } from '../../llm/language-model.js';
import type { Retriever } from '../../retrieval/retriever.js';
import type { MemoryStore } from '../../stores/memory-store.js';
import type { ContractCase } from '../../testing/contract-case.js';
import { keyValueStoreContract } from '../../testing/key-value-store-contract.js';
import {
  languageModelContract,
  type ReceivedRequest,
} from '../../testing/language-model-contract.js';
import { retrieverContract } from '../../testing/retriever-contract.js';
import { byName } from '../support/stores.js';

async function broken(contract: readonly ContractCase[]): Promise<string[]> {
  const names: string[] = [];
  for (const { name, run } of contract) await run().catch(() => names.push(name));
  return names;
}

const storeWith = (fault: (store: MemoryStore) => Partial<MemoryStore>) =>
  keyValueStoreContract({ open: byName((store) => Object.assign(store, fault(store))) });

test.each<[string, (store: MemoryStore) => Partial<MemoryStore>]>([
  ['that sets what is there', (s) => ({ setIfAbsent: (k, v) => s.set(k, v).then(() => true) })],
  ['that compares nothing', (s) => ({ compareAndSet: (k, _, v) => s.set(k, v).then(() => true) })],
  [
    'that looks, and then sets',
    (store) => ({
      async setIfAbsent(key, value) {
        if ((await store.get(key)) !== undefined) return false;
        await store.set(key, value);
        return true;
      },
    }),
  ],
  ['that forgets nothing', () => ({ delete: async () => {} })],
  [
    'that lists a pattern',
    (store) => {
      const list = store.list.bind(store);
      return { list: (prefix) => list(prefix.replace(/\*.*/, '')) };
    },
  ],
])('a store %s', async (_, fault) => {
  expect(await broken(storeWith(fault))).not.toEqual([]);
});

test('a store without a fault', async () => {
  expect(await broken(storeWith(() => ({})))).toEqual([]);
});

const usage = { promptTokens: 3, cachedPromptTokens: 0, completionTokens: 1 };
const completion: Completion = {
  text: 'Paris',
  end: 'finished' as const,
  usage,
  costUsd: null,
  servedModel: 'm',
  fingerprint: null,
};

interface Fault extends Partial<Completion> {
  provider?: string;
  /** Requests a call. */
  ask?: number;
  /** What arrives of a request. */
  send?: (request: CompletionRequest) => ReceivedRequest;
  retryAfterMs?: number | undefined;
}

function modelWith(fault: Fault) {
  const { provider = 'here', ask = 1, send = (request) => request, ...change } = fault;
  const { retryAfterMs = 'retryAfterMs' in fault ? undefined : 7000, ...said } = change;
  return languageModelContract({
    secrets: ['hunter22'],
    async answers() {
      const received: ReceivedRequest[] = [];
      const model: LanguageModel = {
        provider,
        async complete(request, signal) {
          signal.throwIfAborted();
          received.push(...Array.from({ length: ask }, () => send(structuredClone(request))));
          return { ...completion, ...said };
        },
      };
      return { model, received: () => received, usage: { promptTokens: 3, completionTokens: 1 } };
    },
    fails: {
      RateLimited: async () => {
        const complete = () =>
          Promise.reject(new Failure('RateLimited', 'Wait.', { retryAfterMs }));
        return { model: { provider, complete }, retryAfterMs: 7000 };
      },
    },
  });
}

test.each<[string, Fault]>([
  ['that asks twice', { ask: 2 }],
  [
    'that drops a message',
    { send: ({ messages, ...rest }) => ({ ...rest, messages: messages.slice(-1) }) },
  ],
  [
    'that makes one message of all',
    {
      send: ({ messages, ...rest }) => ({
        ...rest,
        messages: [{ role: 'user', content: messages.map(({ content }) => content).join('\n') }],
      }),
    },
  ],
  ['that sends no limit', { send: ({ messages }) => ({ messages, maxTokens: undefined }) }],
  ['that always sends the same limit', { send: (r) => ({ ...r, maxTokens: 4096 }) }],
  ['that tells no usage', { usage: { ...usage, promptTokens: 0, completionTokens: 0 } }],
  ['that drops the wait it is asked for', { retryAfterMs: undefined }],
  ['whose provider holds a secret', { provider: 'https://me:hunter22@host' }],
  ['that counts in halves', { usage: { ...usage, promptTokens: 0.5 } }],
  ['with more cached than asked', { usage: { ...usage, cachedPromptTokens: 4 } }],
  ['that is paid for having answered', { costUsd: -1 }],
  ['that serves nothing', { servedModel: '' }],
])('a model %s', async (_, fault) => {
  expect(await broken(modelWith(fault))).not.toEqual([]);
});

test('a model without a fault', async () => {
  expect(await broken(modelWith({}))).toEqual([]);
});

const passages = ['p1', 'p2', 'p3', 'p4'].map((id) => ({ id, title: id, text: `On ${id}.` }));
const sound: Retriever = {
  async search(_, k) {
    if (!Number.isInteger(k) || k < 1) throw new Failure('BadInput', 'k must be 1 or more.');
    return passages.slice(0, k).map(({ id, title }, i) => ({ id, title, score: 10 - i }));
  },
  async get(ids) {
    return ids.map((id) => {
      const found = passages.find((passage) => passage.id === id);
      if (!found) throw new Failure('UnknownPassage', `There is no passage ${id}.`);
      return found;
    });
  },
};
const retrieverWith = (fault: Partial<Retriever>) =>
  retrieverContract({ open: async () => ({ ...sound, ...fault }), query: 'anything' });

test.each<[string, Partial<Retriever>]>([
  ['that gives the worst first', { search: async (q, k) => (await sound.search(q, k)).reverse() }],
  ['that takes any count', { search: (q, k) => sound.search(q, Math.max(1, Math.floor(k) || 1)) }],
  [
    'that leaves out what is missing',
    { get: async (ids) => passages.filter(({ id }) => ids.includes(id)) },
  ],
  [
    'that stumbles over a quote',
    { search: async (q, k) => (q === '"' ? Promise.reject(new Error(q)) : sound.search(q, k)) },
  ],
])('a retriever %s', async (_, fault) => {
  expect(await broken(retrieverWith(fault))).not.toEqual([]);
});

test('a retriever without a fault', async () => {
  expect(await broken(retrieverWith({}))).toEqual([]);
});
