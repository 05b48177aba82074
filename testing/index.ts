/**
 * Tests for parts of your own: `import { languageModelContract } from 'durable-rag/testing'`.
 * Contracts are lists of cases, for any test runner: `for (const { name, run } of
 * keyValueStoreContract({ open })) test(name, run);`
 */
export { type BatchEndpointParts, batchEndpointContract } from './batch-endpoint-contract.js';
export type { ContractCase } from './contract-case.js';
export {
  type GoldenTrace,
  type GoldenTraceOptions,
  goldenTrace,
  type TracedStep,
} from './golden-trace.js';
export { type KeyValueStoreParts, keyValueStoreContract } from './key-value-store-contract.js';
export {
  type AnsweringScenario,
  type LanguageModelParts,
  languageModelContract,
  type ReceivedRequest,
} from './language-model-contract.js';
export type { ProviderParts, Scenario } from './provider-scenario.js';
export { type RetrieverParts, retrieverContract } from './retriever-contract.js';
export { type RunStoreParts, runStoreContract } from './run-store-contract.js';
export {
  type RecordedRequest,
  type ScriptedModel,
  type ScriptedReply,
  type ScriptedStep,
  scriptedModel,
} from './scripted-model.js';
export { embeddingModelContract, rerankerContract } from './text-model-contracts.js';
