/** What language models are asked and say, with what a test does not look at filled in. */
import type { Completion, CompletionRequest, TokenUsage } from '../../llm/language-model.js';

export const never = (): AbortSignal => new AbortController().signal;

export function tokens(
  promptTokens: number,
  completionTokens = 0,
  cachedPromptTokens = 0,
): TokenUsage {
  return { promptTokens, cachedPromptTokens, completionTokens };
}

/** Says a text, or more of a completion, for nothing. */
export function completionOf(said: string | Partial<Completion>): Completion {
  return {
    text: '',
    end: 'finished',
    usage: tokens(1, 1),
    costUsd: 0,
    servedModel: 'm',
    fingerprint: null,
    ...(typeof said === 'string' ? { text: said } : said),
  };
}

export function requestOf(content: string, more: Partial<CompletionRequest> = {}) {
  return {
    model: 'm',
    messages: [{ role: 'user', content }],
    temperature: 0,
    maxTokens: 10,
    ...more,
  } as CompletionRequest;
}
