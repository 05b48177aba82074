/** Entries of the response cache: a response, or the lease of the activity that pays for one. */

import { z } from 'zod';
import { parseJson } from '../core/canonical-json.js';
import { checkReturned, usageFields } from '../core/returned.js';
import type { EstimatedUsage } from '../core/usage.js';
import { type Completion, type CompletionRequest, PARAMETERS } from './language-model.js';
import { withoutThinking } from './thinking.js';

const completionSchema = z.object({
  text: z.string(),
  end: z.union([z.enum(['finished', 'cut']), z.object({ unknown: z.string() })]),
  thinking: z.enum(['some', 'all']).optional(),
  logprob: z.number().optional(),
  ...usageFields,
  servedModel: z.string(),
  fingerprint: z.string().nullable(),
  host: z.string().optional(),
  unsupported: z.array(z.enum(PARAMETERS)).readonly().optional(),
  tier: z.object({ served: z.string(), standardUsd: z.number().nullable() }).optional(),
}) satisfies z.ZodType<Completion>;

/**
 * Checks a value that a model returned, and returns it as a completion, without the thinking before
 * the answer unless the request keeps it.
 *
 * @param port Name of the interface's method, for the message: "LanguageModel.complete".
 * @throws Failure Incompatible if the value is not a completion.
 */
export function checkedCompletion(
  port: string,
  value: unknown,
  { keepsThinking }: Pick<CompletionRequest, 'keepsThinking'> = {},
): Completion {
  const completion = parsedCompletion(port, value);
  return keepsThinking ? completion : withoutThinking(completion);
}

/**
 * Checks a value that a model returned, and returns it as a completion, with any thinking left in
 * its text.
 *
 * @throws Failure Incompatible like `checkedCompletion`.
 */
export function parsedCompletion(port: string, value: unknown): Completion {
  return checkReturned(port, completionSchema, value);
}

export const estimated = z.object({
  attempts: z.number(),
  repeated: z.number(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  costUsd: z.number().nullable(),
}) satisfies z.ZodType<EstimatedUsage>;

const stored = z.object({
  /** The completion. Entries of earlier versions do not say how it ended. */
  completion: completionSchema.partial({ end: true }),
  /** The activity that paid for it, which always gets it back. */
  origin: z.string(),
  /** The run of that activity, or its workflow's id. */
  run: z.string().optional(),
  /** Time at which it was paid for, in ISO 8601. */
  at: z.string(),
  /** Duration of the call, in milliseconds; absent in a batch. */
  ms: z.number().optional(),
  /** Schema of the estimated usage and cost of calls whose answers were lost. */
  estimated: estimated.optional(),
});

type Stored = z.infer<typeof stored>;

/** An entry of the response cache with a complete response, including how it ended. */
export interface CacheEntry extends Stored {
  completion: Completion;
}

const leased = z.object({
  lease: z.object({
    /** Activity and attempt to which the lease belongs. */
    holder: z.string(),
    /** Time at which it ends, in milliseconds since 1970; 0 after it was released. */
    expiresAt: z.number(),
  }),
  /** Estimated loss if the holder dies, for its call and those it took over. */
  loss: estimated.optional(),
  /** The earlier response, which the holder cannot use. */
  before: stored.optional(),
});

/**
 * An entry of the response cache for a call in progress: the lease of the activity that pays. It
 * may stay after that activity died or released it, until another one replaces it.
 */
export type LeasedEntry = z.infer<typeof leased>;

const kept = z.union([stored, leased]);

/** A parsed entry: a response, a lease, or a lease with the response before it. */
interface StoredValue {
  stored?: Stored | undefined;
  leased?: LeasedEntry;
}

/**
 * Parses the text of a cache entry. Returns its response (that before the lease, if it is a lease)
 * as `stored` and its lease as `leased`; an empty object if there is no entry or it is damaged.
 */
export function parseStored(text: string | undefined): StoredValue {
  const value = kept.safeParse(parseJson(text)).data;
  if (value === undefined) return {};
  return 'completion' in value ? { stored: value } : { stored: value.before, leased: value };
}

/**
 * Returns whether a run may use a stored response: always if the run paid for it; otherwise only if
 * the response ended as "finished" or "cut", not with an unknown word.
 *
 * @param paidBy Run that paid for the response; undefined if the entry does not record it.
 */
export function mayServeRun({ end }: Completion, paidBy: string | undefined, run: string): boolean {
  return typeof end === 'string' || paidBy === run;
}

/**
 * Returns whether a stored response records how it ended. A response without an end may have broken
 * off, so it is not used.
 */
export function hasEnd(stored: Stored): stored is CacheEntry {
  return stored.completion.end !== undefined;
}
