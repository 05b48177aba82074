/** Entry point for models of the AI SDK: `import { aiSdkModel } from 'durable-rag/ai-sdk'`. */
export { type AiSdkModelOptions, type AiSdkModels, aiSdkModel } from './ai-sdk-model.js';
export type { AiSdkLanguageModel } from './sdk-model.js';
