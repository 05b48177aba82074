/** What a question is made of, one part at a time in this process: search, prompt, store, request. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createPromptLibrary } from '../../activities/runtime/prompts.js';
import { fillPrompt } from '../../activities/runtime/render-prompt.js';
import { type CacheEntry, type Claimant, ResponseCache } from '../../llm/response-cache.js';
import { modelSteps } from '../../steps/table.js';
import { openStore } from '../../stores/open-store.js';
import { type Part, type PartTimes, timeParts } from '../parts.js';
import { RETRIEVED, searchParts } from '../search-parts.js';
import { CORPUS } from './corpus.js';
import type { Stage } from './stage.js';

const WARM_UP = 5;
/** As long as those of the mock model. */
const SUMMARY = 'The archive of the harbour names it among the works of that year. '.repeat(9);
const CANDIDATES = ['Marta Lindqvist', 'Otto Renner'];

/** Of some questions, each part of one after the other. */
export async function measureParts(
  stage: Stage,
  questions: readonly string[],
): Promise<PartTimes[]> {
  await stage.model.ask({ latencyMs: 0 });
  const store = await openStore(join(stage.folder, 'parts'), 'responses');
  const parts = [
    ...(await searchParts(join(stage.folder, 'corpora'), CORPUS)),
    ...promptParts(stage),
    requestPart(stage),
    ...storeParts(new ResponseCache(store)),
  ];
  const times = await timeParts(parts, questions, WARM_UP);
  await store.close();
  return times;
}

function promptParts({ retriever }: Stage): Part[] {
  const ports = { prompts: createPromptLibrary(), demonstrationSets: { pairs: async () => [] } };
  const found = async (question: string) =>
    (await retriever.search(question, RETRIEVED)).map(({ id }) => id);
  return [
    {
      name: 'texts of ten passages that were just found',
      async of(question) {
        const ids = await found(question);
        return () => retriever.get(ids);
      },
    },
    {
      name: 'prompt of a summary, with them',
      async of(question) {
        const ids = await found(question);
        const shown = await retriever.get(ids);
        const input = { question, passages: ids, candidates: CANDIDATES, k: 0 };
        const call = { prompts: 'default', attempt: 0 };
        return () => fillPrompt(modelSteps.summarize, input, call, shown, ports);
      },
    },
  ];
}

function requestPart({ calls }: Stage): Part {
  const summarized = { k: 0, candidate: CANDIDATES[0] ?? '', summary: SUMMARY };
  return {
    name: 'request to a model that takes no time, with its prompt and parser',
    of: async (question) => () => calls.validate(question, summarized),
  };
}

/** Each call has a key of its own, as if nobody had asked it before. */
function storeParts(responses: ResponseCache): Part[] {
  const claimant: Claimant = { origin: 'bench', serves: () => true };
  const loss = {
    ...{ attempts: 1, repeated: 1 },
    ...{ promptTokens: 2000, completionTokens: 200, costUsd: 0 },
  };
  const lease = async (key: string) =>
    responses.lease(key, await responses.find(key, claimant), claimant, loss);
  return [
    {
      name: 'right to pay for a call, written to the store',
      of: async () => async () => (await lease(randomUUID()))?.stop(),
    },
    {
      name: 'answer of a call, written to the store',
      async of() {
        const key = randomUUID();
        const leased = await lease(key);
        return () => leased?.end((expected) => responses.store(key, entry(), expected, claimant));
      },
    },
  ];
}

function entry(): CacheEntry {
  return {
    completion: {
      text: SUMMARY,
      cut: false,
      usage: { promptTokens: 2000, cachedPromptTokens: 0, completionTokens: 150 },
      costUsd: 0,
      servedModel: 'mock-1',
      fingerprint: null,
    },
    origin: 'bench',
    at: new Date().toISOString(),
  };
}
