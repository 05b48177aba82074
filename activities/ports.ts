/** What activities need of the world; the worker builds it. */
import type { LanguageModel } from '../llm/language-model.js';
import type { ResponseCache } from '../llm/response-cache.js';
import type { Corpora } from '../retrieval/retriever.js';
import type { PassageStore } from '../retrieval/supplied-passages.js';
import type { PromptLibrary } from './prompts.js';

export interface Ports {
  llm: LanguageModel;
  responses: ResponseCache;
  corpora: Corpora;
  /** Where the passages are kept that come with questions. */
  passages: PassageStore;
  prompts: PromptLibrary;
  /** The model of the steps for which the question names none. */
  defaultModel: string;
  /** Whether the server has the project's search attributes. */
  searchAttributes: boolean;
}
