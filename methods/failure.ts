/** What a provider call or a search can fail with; the name tells the retry behaviour. */
export type FailureType =
  | 'Authentication'
  | 'Permission'
  | 'UnknownModel'
  | 'BadRequest'
  | 'ContextTooLong'
  | 'ContentRefused'
  | 'QuotaExhausted'
  | 'RateLimited'
  | 'NoCapacity'
  | 'AwaitsTokens'
  | 'AwaitsAnswer'
  | 'Overloaded'
  | 'Timeout'
  | 'Connection'
  | 'MalformedResponse'
  | 'AnswerTooLong'
  | 'ParameterRefused'
  | 'StoreUnwritable'
  | 'UnknownCorpus'
  | 'UnknownPassage'
  | 'UnknownText'
  | 'UnknownRun'
  | 'UnknownSchedule'
  | 'Conflict'
  | 'Incompatible'
  | 'RunMismatch'
  | 'BadInput'
  | 'Unexpected';

/** The failures after which the same request can succeed. */
const RETRYABLE: ReadonlySet<FailureType> = new Set([
  'RateLimited',
  'NoCapacity',
  'AwaitsTokens',
  'AwaitsAnswer',
  'Overloaded',
  'Timeout',
  'Connection',
  'MalformedResponse',
  'ParameterRefused',
  'StoreUnwritable',
  'Unexpected',
]);

/** The failures that every other question would meet as well: a job stops at them. */
export const COMMON_FAILURES: ReadonlySet<string> = new Set<FailureType>([
  'Authentication',
  'Permission',
  'UnknownModel',
  'QuotaExhausted',
  'StoreUnwritable',
  'UnknownCorpus',
  'UnknownRun',
  'UnknownText',
  'Incompatible',
  'RunMismatch',
]);

/**
 * Of these the ones that end when somebody mends a store or a worker, and that cost nothing until
 * then: a run that paused at them tries again by itself.
 */
export const MENDED_FAILURES: ReadonlySet<string> = new Set<FailureType>([
  'StoreUnwritable',
  'UnknownRun',
  'RunMismatch',
]);

/**
 * The failures that the same request meets again, whatever is waited for or mended around it: only
 * another request helps.
 */
export const LASTING_FAILURES: ReadonlySet<string> = new Set<FailureType>([
  'UnknownModel',
  'BadRequest',
  'ContextTooLong',
  'ContentRefused',
  'BadInput',
]);

/** The failures that a wait can heal: so many of them in a row are an outage, and pause a run. */
export const OUTAGE_FAILURES: ReadonlySet<string> = new Set<FailureType>([
  'Connection',
  'Overloaded',
  'RateLimited',
  'Timeout',
]);

/**
 * The one error class that ports throw.
 *
 * The message is written for the person who has to act on it and never holds a secret.
 */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly type: FailureType;
  /** How long the provider asked us to wait, in milliseconds, if it said so. */
  readonly retryAfterMs: number | undefined;
  /** Whether the same request can succeed later: told by the type, unless the provider said. */
  readonly retryable: boolean;

  constructor(
    type: FailureType,
    message: string,
    details: {
      retryAfterMs?: number | undefined;
      retryable?: boolean | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.type = type;
    this.retryAfterMs = details.retryAfterMs;
    this.retryable = details.retryable ?? RETRYABLE.has(type);
  }
}
