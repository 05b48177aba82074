import type { TokenUsage } from './language-model.js';

/** Reads what a server sent without believing its shape. Pure. */

export type Fields = Record<string, unknown>;

/** Returns the fields of an object; none of anything else. */
export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** Returns a text that is not empty; undefined of anything else. */
export function named(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns a count; 0 of anything else. */
export function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

/** The usage of what nothing was paid for. */
export const NO_TOKENS = {
  promptTokens: 0,
  cachedPromptTokens: 0,
  completionTokens: 0,
} satisfies TokenUsage;
