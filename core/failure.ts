/** The table of all failures, from which every reaction is derived. Pure. */

import type { Estimated } from './usage.js';

/** What a type of failure means, what to do about it, and how the program reacts to it. */
export interface FailureTraits {
  /** What happened. */
  means: string;
  /** What to do about it. */
  todo: string;
  /** Set if the same request can succeed later, so that Temporal retries it. */
  retried?: true;
  /** Set if the request was sent and not refused, so that the provider may bill it. */
  billed?: true;
  /** Set if every other question would meet it: a run stops at it. */
  common?: true;
  /** Set if every other question would meet it when the first ones all do: a run stops then. */
  commonIfFirst?: true;
  /**
   * What ends it: a `wait` (many in a row are an outage, which pauses a run); `mending` of a store
   * or worker, or `the next day` (UTC), and until then nothing is paid for, so a paused run tries
   * again by itself; or only `another request`.
   */
  healedBy?: 'wait' | 'mending' | 'the next day' | 'another request';
  /**
   * The bound that counts its attempts. A timeout does not count as an outage, since it may have
   * been paid for and takes long.
   */
  bound?: 'outages' | 'refusals' | 'crowded' | 'stores';
  /** Name of such an attempt in metrics and spans. @default 'failed' */
  seenAs?: 'refused' | 'limited' | 'waiting';
  /** A needed text no longer exists. */
  gone?: true;
  /** Kind of exit of a command. @default 'error' */
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

/** Name of a type of failure, such as "RateLimited". `FAILURES` has all of them. */
export type FailureType = keyof typeof TABLE;

export const FAILURES: Readonly<Record<FailureType, FailureTraits>> = TABLE;

/** Returns the traits of a failure given by type name; an empty object for an unknown type. */
export function traitsOf(type: string | undefined): Partial<FailureTraits> {
  return Object.hasOwn(FAILURES, type ?? '') ? FAILURES[type as FailureType] : {};
}

/**
 * The error class that all custom parts throw.
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
  readonly spent: Estimated | undefined;

  constructor(
    type: FailureType,
    message: string,
    details: {
      retryAfterMs?: number | undefined;
      retryable?: boolean | undefined;
      billed?: boolean | undefined;
      spent?: Estimated | undefined;
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

/** Returns the message of a thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Waits for work, and returns whether it succeeded. */
export function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/**
 * Returns the message of the innermost cause, since clients hide theirs ("Connection error."). If
 * it is empty, as for a connection that failed on several addresses, returns its code.
 */
export function reasonIn(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0)
    return reasonIn(thrown.errors[0]);
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown.cause instanceof Error) return reasonIn(thrown.cause);
  return thrown.message || ('code' in thrown ? String(thrown.code) : thrown.name);
}

/** Returns the `code` of a Node error (`ENOENT`, `ENOSPC` and so on); undefined if it has none. */
export function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

/** Maps the error of a missing file or folder to undefined; throws any other. */
export function absent(error: unknown): undefined {
  if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) throw error;
}
