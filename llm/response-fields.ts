import type { TokenUsage } from './language-model.js';

/** Reads a server's data without relying on its shape. Pure. */

/** An object of unknown fields, read from a response. */
export type Fields = Record<string, unknown>;

/** Returns an object or array as it is, to read its fields; an empty object for any other value. */
export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** Returns the value if it is a string that is not empty; otherwise undefined. */
export function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the value if it is a positive, finite number; otherwise 0. */
export function countOrZero(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

/** Usage of a call that used no tokens: all counts are 0. */
export const NO_TOKENS = {
  promptTokens: 0,
  cachedPromptTokens: 0,
  completionTokens: 0,
} satisfies TokenUsage;
