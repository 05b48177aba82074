/** What is kept of requests that wait for a batch, and of the activities that wait for them. */

import { z } from 'zod';
import { jsonIn } from '../../core/canonical-json.js';
import type { CompletionRequest } from '../../llm/language-model.js';
import type { SentCall } from '../../steps/call.js';

const request = z.object({
  model: z.string(),
  messages: z.array(
    z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }),
  ),
  temperature: z.number(),
  topP: z.number().optional(),
  maxTokens: z.number(),
  thinks: z.literal(true).optional(),
  seed: z.number().optional(),
  logprobs: z.literal(true).optional(),
}) as z.ZodType<CompletionRequest>;

const pooled = z.object({
  /** Names it in a batch: 64 hexadecimal digits. */
  id: z.string(),
  /** Under which its response is kept. */
  key: z.string(),
  /** The activity that asked for it first, which is the one that pays. */
  origin: z.string(),
  request,
  /** How often a batch ended without an answer to it that was not the batch's own end. */
  troubles: z.number(),
  /** The batch that the last of them was counted for. */
  countedIn: z.string().nullable(),
});

const waiter = z.object({
  workflowId: z.string(),
  runId: z.string(),
  activityId: z.string(),
  origin: z.string(),
  /** The activity's name. */
  step: z.string(),
  /** The type of its workflow. */
  method: z.string().optional(),
  attempt: z.number(),
  /** That attempt's span, where there are traces. */
  span: z.string().optional(),
  input: z.unknown(),
  call: z.custom<SentCall>((value) => typeof value === 'object' && value !== null),
  /** Hash of the prompt. */
  prompt: z.string(),
  waitSeconds: z.number(),
  size: z.number(),
  patienceSeconds: z.number(),
  heartbeatSeconds: z.number(),
  /** When the activity was scheduled, in milliseconds since 1970. */
  since: z.number(),
});

const planned = z.object({
  /** Finds it at the provider. */
  mark: z.string(),
  ids: z.array(z.string()),
  /** Parameters that its lines leave out. */
  without: z.array(z.string()),
  /** Of its file. */
  bytes: z.number(),
  /** When it was decided on, in milliseconds since 1970. */
  at: z.number(),
});

/** A request in the pool; several activities may wait for it. */
export type PooledRequest = z.infer<typeof pooled>;
/** An activity that has given its slot back and waits for a response. */
export type Waiter = z.infer<typeof waiter>;
/** A batch that was decided on: what goes into it, in order. */
export type PlannedBatch = z.infer<typeof planned>;

/** Each is undefined for a record that is not there, is damaged, or is of another version. */
export const readPooled = reader(pooled);
export const readWaiter = reader(waiter);
export const readPlanned = reader(planned);

function reader<T>(schema: z.ZodType<T>): (text: string | undefined) => T | undefined {
  return (text) => schema.safeParse(jsonIn(text)).data;
}
