/** The table of all failure types, from which the program derives how it reacts to each. Pure. */

import type { EstimatedUsage } from './usage.js';

/**
 * The properties of a failure type: its meaning, the advice for people, and the program's reaction.
 */
export interface FailureTraits {
  /** What happened. */
  means: string;
  /** What to do about it. */
  todo: string;
  /** Set if the same request can succeed later, so that Temporal retries it. */
  retried?: true;
  /** Set if the request was sent and not refused, so that the provider may bill it. */
  billed?: true;
  /**
   * Set if every other question would fail in the same way, so that a run pauses at the first one.
   */
  common?: true;
  /** Set if a run pauses when its first questions all fail in this way. */
  commonIfFirst?: true;
  /**
   * What ends the failure: a `wait` (many such failures in a row are an outage, which pauses a
   * run); `mending` of a store or worker, or `the next day` (UTC), until which attempts cost
   * nothing, so that a paused run retries by itself; or only `another request`.
   */
  healedBy?: 'wait' | 'mending' | 'the next day' | 'another request';
  /**
   * The retry limit that its attempts count against. A timeout does not count as an outage, since
   * it takes long and may have been paid for.
   */
  bound?: 'outages' | 'refusals' | 'crowded' | 'stores';
  /** Outcome of such an attempt in metrics and spans. @default 'failed' */
  seenAs?: 'refused' | 'limited' | 'waiting';
  /** Set if a text or corpus that is needed does not exist. */
  gone?: true;
  /** Exit status of a command, by name. @default 'error' */
  exit?: 'usage' | 'notFound' | 'refused' | 'unreachable';
}

const TABLE = {
  Authentication: {
    means: 'the key was not accepted',
    todo: 'set a valid key for the worker',
    common: true,
  },
  Permission: {
    means: 'the key, or the deployment, may not do this',
    todo: 'use another model, key or folder',
    common: true,
  },
  UnknownModel: {
    means: 'the provider has no such model',
    todo: 'check the name of the model and the address of the endpoint',
    common: true,
    healedBy: 'another request',
  },
  BadRequest: {
    means: 'the request was not accepted',
    todo: 'ask with what the message asks for',
    commonIfFirst: true,
    healedBy: 'another request',
  },
  ContextTooLong: {
    means: 'the prompt is longer than the model takes',
    todo: 'ask with fewer passages, or a model with a larger context',
    commonIfFirst: true,
    healedBy: 'another request',
  },
  ContentRefused: {
    means: 'the model or its filter refused the content',
    todo: 'ask another model',
    healedBy: 'another request',
  },
  QuotaExhausted: {
    means: 'the quota or credit of the key is used up',
    todo: 'add credit or raise the limit at the provider',
    common: true,
  },
  RateLimited: {
    means: 'too many requests',
    todo: 'nothing; lower the limits where it goes on',
    retried: true,
    healedBy: 'wait',
    bound: 'refusals',
    seenAs: 'refused',
  },
  NoCapacity: {
    means: 'the flex tier has no room',
    todo: 'nothing; it is asked for a day',
    retried: true,
    bound: 'crowded',
    seenAs: 'refused',
  },
  AwaitsTokens: {
    means: 'the limit of tokens a minute has no room yet',
    todo: 'nothing',
    retried: true,
    seenAs: 'limited',
  },
  AwaitsAnswer: {
    means: 'another call is paying for the same answer',
    todo: 'nothing',
    retried: true,
    seenAs: 'waiting',
  },
  Overloaded: {
    means: 'the server cannot answer at the moment',
    todo: 'nothing; it is asked again',
    retried: true,
    healedBy: 'wait',
    bound: 'outages',
    exit: 'unreachable',
  },
  Timeout: {
    means: 'no complete answer came in time',
    todo: 'raise limits.callTimeoutSeconds where it goes on',
    retried: true,
    billed: true,
    healedBy: 'wait',
    exit: 'unreachable',
  },
  Connection: {
    means: 'the server cannot be reached, or the connection broke',
    todo: 'check that the server runs, and its address',
    retried: true,
    billed: true,
    healedBy: 'wait',
    bound: 'outages',
    exit: 'unreachable',
  },
  MalformedResponse: {
    means: 'the answer cannot be read as what the API promises',
    todo: 'check the address of the endpoint where it goes on',
    retried: true,
    billed: true,
    healedBy: 'wait',
  },
  AnswerTooLong: {
    means: 'the answer is larger than any that the API gives',
    todo: 'check the address of the endpoint',
    billed: true,
  },
  ParameterRefused: {
    means: 'the model refused a parameter, or the limit of tokens',
    todo: 'nothing; the next attempt leaves it out, or asks for less',
    retried: true,
  },
  SchemaRefused: {
    means: 'the model or its server does not take a JSON schema',
    todo: 'set outputs to "text" (--outputs text), or ask a model that takes one',
    common: true,
    healedBy: 'another request',
  },
  StoreUnwritable: {
    means: 'the store takes nothing: its disk is full, or it is another one',
    todo: 'make room, or put the store back',
    retried: true,
    common: true,
    healedBy: 'mending',
    bound: 'stores',
  },
  UnknownCorpus: {
    means: 'there is no such corpus',
    todo: 'build it, or name another one',
    common: true,
    gone: true,
    exit: 'notFound',
  },
  UnknownPassage: {
    means: 'the corpus has no passage of that id',
    todo: 'build the corpus as it was',
    gone: true,
    exit: 'notFound',
  },
  UnknownText: {
    means: 'a text that came with a question is not in the store',
    todo: 'put the store back, or ask the question again',
    common: true,
    gone: true,
    exit: 'notFound',
  },
  UnknownRun: {
    means: 'there is no such run where the worker or the command looks',
    todo: 'put its results back, or set DURABLE_RAG_RESULTS',
    common: true,
    healedBy: 'mending',
    exit: 'notFound',
  },
  UnknownSchedule: {
    means: 'there is no such schedule',
    todo: 'name one that there is',
    exit: 'notFound',
  },
  Conflict: {
    means: 'what is there does not allow it',
    todo: 'what the message says',
    exit: 'refused',
  },
  Incompatible: {
    means: 'a part, an index or a server is not what its port promises',
    todo: 'mend the part that the message names',
    billed: true,
    common: true,
    gone: true,
  },
  RunMismatch: {
    means: 'a worker is not set up as the run was begun',
    todo: 'set the worker up as it was, or take the change into the run',
    common: true,
    healedBy: 'mending',
  },
  BadInput: {
    means: 'an input, a file or a setting is wrong',
    todo: 'change the fields that the message names',
    healedBy: 'another request',
    exit: 'usage',
  },
  Damaged: {
    means: 'what is kept of a run, or of an answer, cannot be read',
    todo: 'delete it, or begin a run of another name',
    healedBy: 'another request',
    exit: 'usage',
  },
  QuestionBudget: {
    means: 'the question has cost as much as one may',
    todo: 'raise budgetPerQuestionUsd and ask it again; what was paid for is kept',
    healedBy: 'another request',
  },
  TenantBudget: {
    means: 'the tenant has spent what it may spend a day, or nobody knows what it spends',
    todo: 'wait for the next day (UTC), or raise budgetUsdPerDay and restart the workers; what was paid for is kept',
    common: true,
    healedBy: 'the next day',
  },
  Cancelled: { means: 'somebody stopped it', todo: 'ask again' },
  Terminated: { means: 'somebody ended its workflow', todo: 'ask again' },
  Forgotten: { means: 'somebody forgot the kept replies of its answer', todo: 'ask again' },
  Unexpected: {
    means: 'something that no other row stands for',
    todo: 'read the message; tell us where it is our fault',
    retried: true,
    billed: true,
  },
} as const satisfies Record<string, FailureTraits>;

/** The name of a failure type, such as "RateLimited"; `FAILURES` describes each. */
export type FailureType = keyof typeof TABLE;

/** The properties of each failure type, by name. */
export const FAILURES: Readonly<Record<FailureType, FailureTraits>> = TABLE;

/** Returns the properties of a failure type; an empty object if there is no such type. */
export function traitsOf(type: string | undefined): Partial<FailureTraits> {
  return Object.hasOwn(FAILURES, type ?? '') ? FAILURES[type as FailureType] : {};
}

/**
 * The error that this project throws, and that custom models, retrievers and stores should throw.
 * Its type decides whether it is retried.
 *
 * The message is written for the person who has to act on it and never contains a secret.
 */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly type: FailureType;
  /** Wait that the provider asked for, in milliseconds; undefined if it named none. */
  readonly retryAfterMs: number | undefined;
  /** Whether the same request can succeed later, by the type unless the provider said otherwise. */
  readonly retryable: boolean;
  /** Whether the provider may bill the request, by the type unless there was an answer. */
  readonly billed: boolean;
  /** Usage of a failed request that was answered; undefined if not reported. */
  readonly spent: EstimatedUsage | undefined;

  constructor(
    type: FailureType,
    message: string,
    details: {
      retryAfterMs?: number | undefined;
      retryable?: boolean | undefined;
      billed?: boolean | undefined;
      spent?: EstimatedUsage | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.type = type;
    this.retryAfterMs = details.retryAfterMs;
    this.retryable = details.retryable ?? FAILURES[type].retried ?? false;
    this.billed = details.billed ?? FAILURES[type].billed ?? false;
    this.spent = details.spent;
  }
}

/** Returns the message of a thrown error, or any other thrown value as text. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/**
 * Waits for a promise; returns true if it fulfils and false if it rejects. The error is dropped.
 */
export function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/**
 * Returns the message of an error's innermost cause, since the outer one may only say "Connection
 * error."; the error code if that message is empty.
 */
export function innermostMessage(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0)
    return innermostMessage(thrown.errors[0]);
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown.cause instanceof Error) return innermostMessage(thrown.cause);
  return thrown.message || ('code' in thrown ? String(thrown.code) : thrown.name);
}

/** Returns the `code` of a Node error (`ENOENT`, `ENOSPC` and so on); undefined if it has none. */
export function errorCodeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/**
 * Returns undefined for the error of a missing file or folder; throws any other error.
 *
 * @example await readFile(path).catch(undefinedIfMissing)
 */
export function undefinedIfMissing(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR'].includes(errorCodeOf(error) ?? '')) throw error;
}
