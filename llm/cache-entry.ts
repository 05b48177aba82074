/** An entry of the response cache: a response, or the lease of the activity that pays for one. */

import { z } from 'zod';
import { jsonIn } from '../core/canonical-json.js';
import { costSchema, returned, usageSchema } from '../core/returned.js';
import type { Estimated } from '../core/usage.js';
import { type Completion, PARAMETERS } from './language-model.js';
import { withoutThinking } from './thinking.js';

export const completionSchema = z.object({
  text: z.string(),
  cut: z.boolean(),
  thinking: z.enum(['some', 'all']).optional(),
  logprob: z.number().optional(),
  usage: usageSchema,
  costUsd: costSchema,
  servedModel: z.string(),
  fingerprint: z.string().nullable(),
  host: z.string().optional(),
  unsupported: z.array(z.enum(PARAMETERS)).readonly().optional(),
  tier: z.object({ served: z.string(), standardUsd: z.number().nullable() }).optional(),
}) satisfies z.ZodType<Completion>;

/**
 * Returns what a model gave back, without the thinking before the answer.
 *
 * @param port Names who gave it: "LanguageModel.complete".
 * @throws Failure Incompatible where it is no completion.
 */
export function returnedCompletion(port: string, value: unknown): Completion {
  return withoutThinking(returned(port, completionSchema, value));
}

const estimated = z.object({
  attempts: z.number(),
  repeated: z.number(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  costUsd: z.number().nullable(),
}) satisfies z.ZodType<Estimated>;

const cacheEntry = z.object({
  completion: completionSchema,
  /** The activity that paid for it, which gets it back in any case. */
  origin: z.string(),
  /** When it was paid for (ISO 8601). */
  at: z.string(),
  /** What calls whose workers died may have cost; counted by the activity that paid. */
  estimated: estimated.optional(),
});

export type CacheEntry = z.infer<typeof cacheEntry>;

const leased = z.object({
  lease: z.object({
    /** Which attempt of which activity. */
    holder: z.string(),
    /** When it ends, in milliseconds since 1970; 0 once it was given back. */
    expiresAt: z.number(),
  }),
  /** What the holder's call, and those it took over, may have cost if it dies. */
  loss: estimated.optional(),
  /** The response before it, which the holder cannot use. */
  before: cacheEntry.optional(),
});

export type Leased = z.infer<typeof leased>;

const kept = z.union([cacheEntry, leased]);

/** Returns the completion kept under a key; undefined where it is damaged or of another version. */
export function parseKept(text: string | undefined): { entry?: CacheEntry; leased?: Leased } {
  const value = kept.safeParse(jsonIn(text)).data;
  if (value === undefined) return {};
  if ('completion' in value) return { entry: value };
  return { leased: value, ...(value.before && { entry: value.before }) };
}
