/** Checks the values that custom parts return. Pure. */
import { z } from 'zod';
import { Failure } from './failure.js';
import { checkAgainst } from './options/checked.js';
import { describeProblems } from './options/problems.js';

const tokens = z.number().nonnegative();

/** Schema of a call's usage and cost, which every provider interface returns. */
export const paidFields = {
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
 * Returns the value if it matches the interface.
 *
 * @param port The interface and method: "LanguageModel.complete".
 * @throws Failure Incompatible with each wrong field. It is not retried, since the part would
 * return the same again.
 */
export function returned<T>(port: string, schema: z.ZodType<T>, value: unknown): T {
  const { problems } = checkAgainst(schema, value, ['returned']);
  if (!problems) return value as T;
  throw brokenPort(port, describeProblems(problems.slice(0, MOST_TOLD)));
}

/** Returns the failure of a part that violates its interface. */
export function brokenPort(port: string, what: string): Failure {
  return new Failure('Incompatible', `${port} does not keep to its port: ${what}.`);
}

const MOST_TOLD = 5;
