/** Checks what a part of your own returns by its port. Pure. */
import { z } from 'zod';
import { Failure } from './failure.js';
import { checkAgainst } from './options/checked.js';
import { told } from './options/problems.js';

const tokens = z.number().nonnegative();

/** What a call took, as every port over a provider returns it. */
export const paidFields = {
  /** Null if the provider does not tell it. */
  usage: z
    .object({
      promptTokens: tokens,
      cachedPromptTokens: tokens,
      writtenPromptTokens: tokens.optional(),
      completionTokens: tokens,
    })
    .nullable(),
  /** US dollars; null where the price is not known. */
  costUsd: z.number().nonnegative().nullable(),
  isStated: z.literal(true).optional(),
};

/**
 * Returns the value itself, where it is what the port says.
 *
 * @param port Names it, with its method: "LanguageModel.complete".
 * @throws Failure Incompatible with each field that is wrong. It is not retried: the part would return
 *   the same again.
 */
export function returned<T>(port: string, schema: z.ZodType<T>, value: unknown): T {
  const { problems } = checkAgainst(schema, value, ['returned']);
  if (!problems) return value as T;
  throw brokenPort(port, told(problems.slice(0, MOST_TOLD)));
}

/** Returns the failure of a part that does not keep to its port. */
export function brokenPort(port: string, what: string): Failure {
  return new Failure('Incompatible', `${port} does not keep to its port: ${what}.`);
}

const MOST_TOLD = 5;
