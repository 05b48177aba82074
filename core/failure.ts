/** The table of all failure types, from which the program derives its reaction to each. Pure. */

import type { EstimatedUsage } from './usage.js';

/**
 * The properties of a failure type: its meaning, the advice for people, and the program's reaction.
 */
export interface FailureTraits {
  /** The event, as a clause for messages. */
  means: string;
  /** Advice to a person, as a clause for messages. */
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
   * The event that ends the failure: a `wait` (many such failures in a row are an outage, which
   * pauses a run); `mending` of a store or worker, or `the next day` (UTC), until which attempts
   * cost nothing, so that a paused run retries by itself; or only `another request`. Absent if none
   * of these applies.
   */
  healedBy?: 'wait' | 'mending' | 'the next day' | 'another request';
  /**
   * The retry limit against which its attempts count; absent if there is none. A timeout does not
   * count as an outage, since it takes long and may be billed.
   */
  bound?: 'outages' | 'refusals' | 'crowded' | 'stores';
  /** Outcome of such an attempt in metrics and spans. @default 'failed' */
  seenAs?: 'refused' | 'limited' | 'waiting';
  /** Set if a text or corpus that the question needs does not exist. */
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
    todo: 'change the input as the message says',
    commonIfFirst: true,
    healedBy: 'another request',
  },
  ContextTooLong: {
    means: 'the prompt is longer than the context of the model',
    todo: 'use fewer passages, or a model with a larger context',
    commonIfFirst: true,
    healedBy: 'another request',
  },
  ContentRefused: {
    means: 'the model or its filter refused the content',
    todo: 'use another model',
    healedBy: 'another request',
  },
  QuotaExhausted: {
    means: 'the quota or credit of the key is exhausted',
    todo: 'add credit or raise the limit at the provider',
    common: true,
  },
  RateLimited: {
    means: 'too many requests',
    todo: 'nothing; if it persists, lower the limits',
    retried: true,
    healedBy: 'wait',
    bound: 'refusals',
    seenAs: 'refused',
  },
  NoCapacity: {
    means: 'the flex tier has no capacity',
    todo: 'nothing; the call is retried for a day',
    retried: true,
    bound: 'crowded',
    seenAs: 'refused',
  },
  AwaitsTokens: {
    means: 'the token limit per minute leaves no room yet',
    todo: 'nothing',
    retried: true,
    seenAs: 'limited',
  },
  AwaitsAnswer: {
    means: 'an equal call is under way, and its response will be shared',
    todo: 'nothing',
    retried: true,
    seenAs: 'waiting',
  },
  Overloaded: {
    means: 'the server cannot answer at the moment',
    todo: 'nothing; the call is retried',
    retried: true,
    healedBy: 'wait',
    bound: 'outages',
    exit: 'unreachable',
  },
  Timeout: {
    means: 'no complete response arrived in time',
    todo: 'if it persists, raise limits.callTimeoutSeconds',
    retried: true,
    billed: true,
    healedBy: 'wait',
    exit: 'unreachable',
  },
  Connection: {
    means: 'the server cannot be reached, or the connection broke',
    todo: 'check that the server is running, and its address',
    retried: true,
    billed: true,
    healedBy: 'wait',
    bound: 'outages',
    exit: 'unreachable',
  },
  MalformedResponse: {
    means: 'the response does not have the form that the API promises',
    todo: 'if it persists, check the address of the endpoint',
    retried: true,
    billed: true,
    healedBy: 'wait',
  },
  AnswerTooLong: {
    means: 'the response is larger than the API allows',
    todo: 'check the address of the endpoint',
    billed: true,
  },
  ParameterRefused: {
    means: 'the model refused a parameter, or the token limit',
    todo: 'nothing; the next attempt omits the parameter or lowers the limit',
    retried: true,
  },
  SchemaRefused: {
    means: 'the model or its server does not support JSON schemas',
    todo: 'set outputs to "text" (--outputs text), or use a model that supports them',
    common: true,
    healedBy: 'another request',
  },
  StoreUnwritable: {
    means: 'the store cannot be written: its disk is full, or it was replaced',
    todo: 'free disk space, or restore the store',
    retried: true,
    common: true,
    healedBy: 'mending',
    bound: 'stores',
  },
  UnknownCorpus: {
    means: 'there is no such corpus',
    todo: 'index it, or name another one',
    common: true,
    gone: true,
    exit: 'notFound',
  },
  UnknownPassage: {
    means: 'the corpus has no passage of that id',
    todo: 'restore the corpus as it was',
    gone: true,
    exit: 'notFound',
  },
  UnknownText: {
    means: 'a text that came with a question is not in the store',
    todo: 'restore the store, or ask the question again',
    common: true,
    gone: true,
    exit: 'notFound',
  },
  UnknownRun: {
    means: 'the worker or the command finds no such run',
    todo: 'restore its results, or set DURABLE_RAG_RESULTS',
    common: true,
    healedBy: 'mending',
    exit: 'notFound',
  },
  UnknownSchedule: {
    means: 'there is no such schedule',
    todo: 'name an existing one',
    exit: 'notFound',
  },
  Conflict: {
    means: 'the current state does not allow it',
    todo: 'follow the message',
    exit: 'refused',
  },
  Incompatible: {
    means: 'a part, an index or a server does not behave as its interface promises',
    todo: 'fix the part that the message names',
    billed: true,
    common: true,
  },
  RunMismatch: {
    means: 'a worker has other settings than the run began with',
    todo: 'restore the settings of the worker, or accept the change',
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
    means: 'the stored data of a run or an answer cannot be read',
    todo: 'delete it, or start a run under another name',
    healedBy: 'another request',
    exit: 'usage',
  },
  QuestionBudget: {
    means: 'the question has spent its budget',
    todo: 'raise budgetPerQuestionUsd and ask it again; paid responses are stored',
    healedBy: 'another request',
  },
  TenantBudget: {
    means: 'the tenant has spent its daily budget, or its spending is unknown',
    todo: 'wait for the next day (UTC), or raise budgetUsdPerDay and restart the workers; paid responses are stored',
    common: true,
    healedBy: 'the next day',
  },
  Cancelled: { means: 'it was cancelled', todo: 'ask again' },
  Terminated: { means: 'its workflow was terminated', todo: 'ask again' },
  Forgotten: {
    means: 'the stored responses behind its answer were deleted with forget',
    todo: 'ask again',
  },
  Unexpected: {
    means: 'any other error',
    todo: 'read the message; report it if it is a bug of durable-rag',
    retried: true,
    billed: true,
  },
} as const satisfies Record<string, FailureTraits>;

/** The name of a failure type, such as "RateLimited": see `FAILURES`. */
export type FailureType = keyof typeof TABLE;

/** The properties of each failure type, by its name. */
export const FAILURES: Readonly<Record<FailureType, FailureTraits>> = TABLE;

/** Returns the entry of a failure type in `FAILURES`; an empty object if there is no such type. */
export function traitsOf(type: string | undefined): Partial<FailureTraits> {
  return Object.hasOwn(FAILURES, type ?? '') ? FAILURES[type as FailureType] : {};
}

/**
 * The error that this project throws, and that custom models, retrievers and stores should throw.
 * By default its type decides whether it is retried.
 *
 * The message is written for the person who has to act on it and never contains a secret.
 */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly type: FailureType;
  /** Wait that the provider requested, in milliseconds; undefined if it requested none. */
  readonly retryAfterMs: number | undefined;
  /** Whether the same request can succeed later; by default as its type says. */
  readonly retryable: boolean;
  /** Whether the provider may bill the request; by default as its type says. */
  readonly billed: boolean;
  /**
   * Usage of a failed request to which the provider sent a response; undefined if it reported none.
   */
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

/** Returns the message of an error, or any other thrown value as text. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Waits for a promise; returns true if it fulfils and false if it rejects, whatever the error. */
export function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/**
 * Returns the message of an error's innermost cause, since an outer one may only be "Connection
 * error.". If that message is empty, returns the error's code or name.
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
 * Returns whether an error comes from the operating system, such as for a file that cannot be
 * written.
 */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

/**
 * Returns undefined for the error of a missing file or folder; throws any other error.
 *
 * @example await readFile(path).catch(undefinedIfMissing)
 */
export function undefinedIfMissing(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR'].includes(errorCodeOf(error) ?? '')) throw error;
}
