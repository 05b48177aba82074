/** What a worker works with in tests: in memory, with one corpus, and whatever a test exchanges. */

import type { Ports } from '../../activities/runtime/ports.js';
import { createPromptLibrary } from '../../activities/runtime/prompts.js';
import { tenantCalls } from '../../activities/runtime/tenant-calls.js';
import { Failure } from '../../core/failure.js';
import type { Passage } from '../../core/vocabulary.js';
import { snapshots } from '../../evaluation/dataset/snapshots.js';
import { metricRegistry } from '../../evaluation/metrics/registry.js';
import { methodRegistry } from '../../interpreters/methods.js';
import { EmbeddingCache } from '../../llm/embedding-cache.js';
import type { LanguageModel } from '../../llm/language-model.js';
import { tokenLimiter } from '../../llm/rates/token-limiter.js';
import { ResponseCache } from '../../llm/response-cache.js';
import type { Corpora } from '../../retrieval/retriever.js';
import { passageStore } from '../../retrieval/supplied-passages.js';
import { confirmations } from '../../stores/confirmations.js';
import { contentStore } from '../../stores/content-store.js';
import { demonstrationSets } from '../../stores/demonstration-sets.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { tenantAccounts } from '../../stores/tenant-accounts.js';
import { Transcripts } from '../../stores/transcripts.js';
import type { PluginParts } from '../../workers/plugin.js';
import { fakeEmbeddings } from './fake-embeddings.js';
import { memoryRuns } from './stores.js';

/** Passages about nothing in particular, which every search returns in this order. */
export const passages: Passage[] = Array.from({ length: 12 }, (_, i) => ({
  id: `p${i + 1}`,
  title: `Title ${i + 1}`,
  text: `Text of passage ${i + 1}.`,
}));

/** One corpus, "sample", whose searches return its passages in order. */
export function fixedCorpora(corpus: readonly Passage[] = passages): Corpora {
  return {
    async open(name) {
      if (name !== 'sample') throw new Failure('UnknownCorpus', `There is no corpus "${name}".`);
      return {
        search: async (_, k) =>
          corpus.slice(0, k).map(({ id, title }, i) => ({ id, title, score: 10 - i })),
        get: async (ids) => ids.flatMap((id) => corpus.filter((passage) => passage.id === id)),
      };
    },
  };
}

export function testPorts(llm: LanguageModel, changes: Partial<Ports> = {}): PluginParts['ports'] {
  const store = new MemoryStore();
  return {
    llm,
    responses: new ResponseCache(store),
    tokens: tokenLimiter({ store, queue: 'test', ownLimit: null }),
    tenants: tenantCalls(tenantAccounts(new MemoryStore()), {}),
    embeddings: new EmbeddingCache(fakeEmbeddings(), store),
    corpora: fixedCorpora(),
    describeCorpus: async (name) => ({ name, passages: passages.length, sha256: 'fixed' }),
    datasets: snapshots(store),
    passages: passageStore(store),
    demonstrationSets: demonstrationSets(store),
    runs: memoryRuns(),
    confirmations: confirmations(store),
    texts: contentStore(store),
    transcripts: new Transcripts(contentStore(store)),
    prompts: createPromptLibrary(undefined, {}, contentStore(store)),
    prices: new Map([['scripted-1', { prompt: 1, cachedPrompt: 1, completion: 1 }]]),
    defaultModel: 'scripted-1',
    methods: methodRegistry(),
    metrics: metricRegistry(),
    steps: {},
    searchAttributes: true,
    ...changes,
  };
}
