/** Checks the values that custom parts return. Pure. */
import { z } from 'zod';
import { Failure } from './failure.js';
import { checkAgainst } from './options/checked.js';
import { describeProblems } from './options/problems.js';

const tokens = z.number().nonnegative();

/**
 * Schemas of the fields for usage and cost in what a model, embedding model or reranker returns.
 */
export const usageFields = {
  /** Usage; null if the provider does not report it. */
  usage: z
    .object({
      promptTokens: tokens,
      cachedPromptTokens: tokens,
      writtenPromptTokens: tokens.optional(),
      completionTokens: tokens,
    })
    .nullable(),
  /** Cost in US dollars; null if the price is unknown. */
  costUsd: z.number().nonnegative().nullable(),
  isStated: z.literal(true).optional(),
};

/**
 * Checks a value that a custom part returned, and returns it.
 *
 * @param port The interface and method: "LanguageModel.complete".
 * @throws Failure Incompatible naming the wrong fields. It is not retried, since the part would
 * return the same again.
 */
export function checkReturned<T>(port: string, schema: z.ZodType<T>, value: unknown): T {
  const { problems } = checkAgainst(schema, value, ['returned']);
  if (!problems) return value as T;
  throw portViolation(port, describeProblems(problems.slice(0, MOST_TOLD)));
}

/** Returns the failure Incompatible of a custom part that violates its interface. */
export function portViolation(port: string, what: string): Failure {
  return new Failure('Incompatible', `${port} violates its interface: ${what}.`);
}

const MOST_TOLD = 5;
