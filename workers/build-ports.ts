/** The composition root: builds what activities need from the configuration. */
import { join } from 'node:path';
import type { Ports } from '../activities/ports.js';
import { createPromptLibrary } from '../activities/prompts.js';
import { createOpenAiModel } from '../llm/openai/openai-model.js';
import { loadPrices } from '../llm/prices.js';
import { ResponseCache } from '../llm/response-cache.js';
import { openCorpora } from '../retrieval/corpora.js';
import { passageStore } from '../retrieval/supplied-passages.js';
import { openStore } from '../stores/open-store.js';
import { packageRoot } from '../stores/package-root.js';
import type { WorkerConfig } from './config.js';

/** The longest time limits.callTimeoutSeconds allows. */
const LONGEST_CALL_MS = 3_600_000;

/**
 * Opens stores and indexes and sets up the language model.
 *
 * @throws Failure that names the variable to change when one of them cannot be used.
 */
export async function buildPorts(
  config: WorkerConfig,
  searchAttributes: boolean,
): Promise<{ ports: Ports; close(): Promise<void> }> {
  const llm = createOpenAiModel({
    apiKey: config.apiKey,
    baseUrl: config.baseUrl,
    timeoutMs: LONGEST_CALL_MS,
    maxRetryAfterMs: config.maxRetryAfterMs,
    prices: await loadPrices(config.prices),
  });
  const responses = await openStore(config.storeUrl, 'responses');
  const passages = await openStore(config.storeUrl, 'passages');
  const ports: Ports = {
    llm,
    responses: new ResponseCache(responses),
    corpora: openCorpora(config.corpora),
    passages: passageStore(passages),
    prompts: createPromptLibrary(join(packageRoot(), 'prompts'), config.prompts),
    defaultModel: config.defaultModel,
    searchAttributes,
  };
  return {
    ports,
    async close() {
      await Promise.all([responses.close(), passages.close()]);
    },
  };
}
