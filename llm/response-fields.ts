import type { TokenUsage } from './language-model.js';

/** Reads a server's data without relying on its shape. Pure. */

/** An object of unknown fields, read from a response. */
export type Fields = Record<string, unknown>;

/** Returns the fields of an object; an empty object for any other value. */
export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** Returns a text that is not empty; undefined for any other value. */
export function named(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns a count; 0 for any other value. */
export function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

/** Usage of a call that cost nothing. */
export const NO_TOKENS = {
  promptTokens: 0,
  cachedPromptTokens: 0,
  completionTokens: 0,
} satisfies TokenUsage;
