import { count } from './fields.js';
import type { TokenUsage } from './language-model.js';

/**
 * Returns the usage in two counts; undefined, which is unknown, unless both are finite and from 0
 * on. Taken for 0, what is missing would cost nothing, and no budget would hold.
 */
export function tokenUsage(
  promptTokens: unknown,
  completionTokens: unknown,
  cached: unknown,
): TokenUsage | undefined {
  if (!isCount(promptTokens) || !isCount(completionTokens)) return undefined;
  const cachedPromptTokens = Math.min(count(cached), promptTokens);
  return { promptTokens, cachedPromptTokens, completionTokens };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
