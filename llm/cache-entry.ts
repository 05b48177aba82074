/** An entry of the response cache: a response, or the lease of the activity that pays for one. */

import { z } from 'zod';
import { jsonIn } from '../core/canonical-json.js';
import { paidFields, returned } from '../core/returned.js';
import type { Estimated } from '../core/usage.js';
import { type Completion, type CompletionRequest, PARAMETERS } from './language-model.js';
import { withoutThinking } from './thinking.js';

export const completionSchema = z.object({
  text: z.string(),
  end: z.union([z.enum(['finished', 'cut']), z.object({ unknown: z.string() })]),
  thinking: z.enum(['some', 'all']).optional(),
  logprob: z.number().optional(),
  ...paidFields,
  servedModel: z.string(),
  fingerprint: z.string().nullable(),
  host: z.string().optional(),
  unsupported: z.array(z.enum(PARAMETERS)).readonly().optional(),
  tier: z.object({ served: z.string(), standardUsd: z.number().nullable() }).optional(),
}) satisfies z.ZodType<Completion>;

/**
 * Returns what a model gave back, without the thinking before the answer unless the request keeps it.
 *
 * @param port Names who gave it: "LanguageModel.complete".
 * @throws Failure Incompatible where it is no completion.
 */
export function returnedCompletion(
  port: string,
  value: unknown,
  { keepsThinking }: Pick<CompletionRequest, 'keepsThinking'> = {},
): Completion {
  const completion = parsedCompletion(port, value);
  return keepsThinking ? completion : withoutThinking(completion);
}

/** Returns what a model gave back, with all of its text. @throws as `returnedCompletion`. */
export function parsedCompletion(port: string, value: unknown): Completion {
  return returned(port, completionSchema, value);
}

export const estimated = z.object({
  attempts: z.number(),
  repeated: z.number(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  costUsd: z.number().nullable(),
}) satisfies z.ZodType<Estimated>;

const stored = z.object({
  /** Those of earlier versions do not say how they ended. */
  completion: completionSchema.partial({ end: true }),
  /** The activity that paid for it, which gets it back in any case. */
  origin: z.string(),
  /** The run of that activity, or its workflow. */
  run: z.string().optional(),
  /** When it was paid for (ISO 8601). */
  at: z.string(),
  /** How long the call took, in milliseconds; left out of a batch. */
  ms: z.number().optional(),
  /** What calls whose workers died may have cost; counted by the activity that paid. */
  estimated: estimated.optional(),
});

type Stored = z.infer<typeof stored>;

/** A stored response that says how it ended. */
export interface CacheEntry extends Stored {
  completion: Completion;
}

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
  before: stored.optional(),
});

export type Leased = z.infer<typeof leased>;

const kept = z.union([stored, leased]);

/** What is kept under a key. */
export interface Kept {
  stored?: Stored | undefined;
  leased?: Leased;
}

/** Returns what is kept under a key; nothing if it is damaged. */
export function parseKept(text: string | undefined): Kept {
  const value = kept.safeParse(jsonIn(text)).data;
  if (value === undefined) return {};
  return 'completion' in value ? { stored: value } : { stored: value.before, leased: value };
}

/** Tells whether a run may be given what another one, or itself, has paid for, by how it ended. */
export function servesRun({ end }: Completion, paidBy: string | undefined, run: string): boolean {
  return typeof end === 'string' || paidBy === run;
}

/** Tells whether a response may be served: one that does not say how it ended may have broken off. */
export function saysEnd(stored: Stored): stored is CacheEntry {
  return stored.completion.end !== undefined;
}
