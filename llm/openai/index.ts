/**
 * Entry point for endpoints with chat completions: `import { openAiModel } from
 * 'durable-rag/openai'`.
 */
export { type OpenAiEndpointOptions, openAiModel } from './openai-model.js';
