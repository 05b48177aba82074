/**
 * Checks the values that implementations of interfaces (models, retrievers, stores) return. Pure.
 */
import { z } from 'zod';
import { Failure } from './failure.js';
import { checkAgainst } from './options/checked.js';
import { describeProblems } from './options/problems.js';

const tokens = z.number().nonnegative();

/**
 * Schemas, by name, of the fields `usage`, `costUsd` and `isStated` (whether the provider stated
 * the cost) in what a model, embedding model or reranker returns.
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
  /** Set if the provider reported the cost; otherwise it was computed from a price. */
  isStated: z.literal(true).optional(),
};

/**
 * Returns a value that an implementation of an interface returned, unchanged, if it fits the
 * schema.
 *
 * @param port The interface and method: "LanguageModel.complete".
 * @throws Failure Incompatible naming the first five wrong fields. It is not retried, since the
 * implementation would return the same again.
 */
export function checkReturned<T>(port: string, schema: z.ZodType<T>, value: unknown): T {
  const { problems } = checkAgainst(schema, value, ['returned']);
  if (!problems) return value as T;
  throw portViolation(port, describeProblems(problems.slice(0, MOST_LISTED)));
}

/**
 * Returns the failure Incompatible of an implementation that violates its interface; it is not
 * thrown.
 *
 * @param port The interface and method.
 * @param what What is wrong, as a clause.
 */
export function portViolation(port: string, what: string): Failure {
  return new Failure('Incompatible', `${port} violates its interface: ${what}.`);
}

const MOST_LISTED = 5;
