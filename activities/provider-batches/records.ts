/** What is kept of requests that wait for a batch, and of the activities that wait for them. */
import { z } from 'zod';
import type { CompletionRequest } from '../../llm/language-model.js';
import type { SentCall } from '../../steps/call.js';

/** A request in the pool; several activities may wait for it. */
export interface PooledRequest {
  /** Names it in a batch: 64 hexadecimal digits. */
  id: string;
  /** Under which its response is kept. */
  key: string;
  /** The activity that asked for it first, which is the one that pays. */
  origin: string;
  request: CompletionRequest;
  /** How often a batch ended without an answer to it that was not the batch's own end. */
  troubles: number;
  /** The batch that the last of them was counted for. */
  countedIn: string | null;
}

/** An activity that has given its slot back and waits for a response. */
export interface Waiter {
  workflowId: string;
  runId: string;
  activityId: string;
  origin: string;
  /** The activity's name. */
  step: string;
  /** The type of its workflow. */
  method?: string | undefined;
  /** Which attempt of it asked. */
  attempt: number;
  /** That attempt's span, where there are traces. */
  span?: string | undefined;
  input: unknown;
  call: SentCall;
  /** Hash of the prompt. */
  prompt: string;
  waitSeconds: number;
  size: number;
  patienceSeconds: number;
  heartbeatSeconds: number;
  /** When the activity was scheduled, in milliseconds since 1970. */
  since: number;
}

/** A batch that was decided on: what goes into it, in order. */
export interface PlannedBatch {
  /** Finds it at the provider. */
  mark: string;
  ids: string[];
  /** Parameters that its lines leave out. */
  without: string[];
  /** Of its file. */
  bytes: number;
  /** When it was decided on, in milliseconds since 1970. */
  at: number;
}

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
});

const pooled = z.object({
  ...{ id: z.string(), key: z.string(), origin: z.string(), request },
  ...{ troubles: z.number(), countedIn: z.string().nullable() },
});

const waiter = z.object({
  ...{ workflowId: z.string(), runId: z.string(), activityId: z.string(), origin: z.string() },
  ...{ step: z.string(), input: z.unknown(), prompt: z.string(), since: z.number() },
  ...{ method: z.string().optional(), attempt: z.number() },
  span: z.string().optional(),
  call: z.custom<SentCall>((value) => typeof value === 'object' && value !== null),
  ...{ waitSeconds: z.number(), size: z.number(), patienceSeconds: z.number() },
  heartbeatSeconds: z.number(),
});

const planned = z.object({
  ...{ mark: z.string(), ids: z.array(z.string()), without: z.array(z.string()) },
  ...{ bytes: z.number(), at: z.number() },
});

/** Each is undefined for a record that is not there, is damaged, or is of another version. */
export const readPooled = reader<PooledRequest>(pooled as z.ZodType<PooledRequest>);
export const readWaiter = reader<Waiter>(waiter as z.ZodType<Waiter>);
export const readPlanned = reader<PlannedBatch>(planned);

function reader<T>(schema: z.ZodType<T>): (text: string | undefined) => T | undefined {
  return (text) => {
    try {
      return text === undefined ? undefined : schema.safeParse(JSON.parse(text)).data;
    } catch {
      return undefined;
    }
  };
}
