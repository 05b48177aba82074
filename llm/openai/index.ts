/** What a program imports for an endpoint with chat completions: `import { openAiModel } from 'durable-rag/openai'`. */
export { type OpenAiEndpointOptions, openAiModel } from './openai-model.js';
