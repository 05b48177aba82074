/** Turns a provider's error answer into a named Failure with advice. Pure. */

import { Failure, type FailureType, innermostMessage } from '../core/failure.js';
import { shortened } from '../core/shortened.js';
import { AnswerTooLong, isRedirect } from './bounded-fetch.js';
import { type ErrorAnswer, errorInside } from './error-answer.js';
import { meaningOfError, type RequestChange, type SentRequest } from './error-table.js';
import { ENDPOINT_VARIABLES, type Purpose } from './openai/endpoint.js';
import { retryAfterMs } from './retry-after.js';
import { QUOTED_CHARS, scrub, scrubError } from './scrub.js';

/**
 * The facts about a call to a provider from which its failures and their messages are made, such
 * as model, provider, timeout and longest wait. Its secrets are in `secrets` only, and are removed
 * from messages.
 */
export interface CallContext {
  /** The kind of model. @default 'chat' */
  purpose?: Purpose;
  model: string;
  provider: string;
  /** Timeout in milliseconds; absent if only the caller's signal ends the call. */
  timeoutMs?: number;
  /** Advice by type of failure, instead of the usual advice to set an environment variable. */
  advice?: Partial<Record<FailureType, string>>;
  /** Longest wait that is taken from Retry-After, in milliseconds. */
  maxRetryAfterMs: number;
  /**
   * The parts of the request that an error may refuse; without them, no refused part is recognised.
   */
  asked?: SentRequest | undefined;
  /** Secret values, which are removed from every message. */
  secrets: readonly string[];
  /** Time of the failure, in milliseconds since 1970; dates in Retry-After are compared with it. */
  now: number;
}

/**
 * Failure thrown if the provider refused a parameter or the token limit. The next attempt leaves
 * the parameter out or sends a lower limit, as `change` says, without a wait.
 */
export class PartRefused extends Failure {
  constructor(
    { message, cause }: Failure,
    readonly change: RequestChange,
  ) {
    super('ParameterRefused', message, { cause, retryAfterMs: 0 });
  }
}

/**
 * Returns the failure for an error that a provider's client threw; a Failure is returned unchanged.
 *
 * @param answerOf Returns the provider's answer inside an error; undefined if there is none.
 * @param typeOf Returns the type of an error without an answer.
 */
export function classifyThrown(
  error: unknown,
  answerOf: (error: unknown) => ErrorAnswer | undefined,
  typeOf: (error: unknown) => FailureType,
  context: CallContext,
): Failure {
  if (error instanceof Failure) return error;
  const answer = answerOf(error);
  if (answer) return classifyAnswer(answer, context, { cause: error });
  const tooLong = tooLongIn(error);
  if (tooLong) {
    const what = `The server at ${context.provider} sent more than ${tooLong.bytes / 1e6} MB in one answer`;
    return failure('AnswerTooLong', context, { what });
  }
  const type = typeOf(error);
  return failure(type, context, {
    reply: type === 'Timeout' ? '' : innermostMessage(error),
    cause: error,
  });
}

/**
 * Returns the failure that a provider's error answer means.
 *
 * The error's own words take precedence over the status. `x-should-retry: false` always counts, but
 * `true` only if the error has no such words: a used-up quota comes as 429 and is never worth a
 * retry. If a parameter or the token limit was refused, the failure is a `PartRefused`.
 *
 * @param details `cause` is the client's error; `billed` tells whether tokens were generated, and
 * `spent` how many.
 */
export function classifyAnswer(
  answer: ErrorAnswer,
  context: CallContext,
  details: Pick<FailureDetails, 'cause' | 'billed' | 'spent'> = {},
): Failure {
  if (isRedirect(answer.http)) return redirected(answer, context);
  const { status, message: reply, headers } = answer;
  const { type, isExplicit, change } = meaningOfError(answer, context.model, context.asked);
  const known = { ...details, ...(status !== undefined && { status }), reply };
  if (change) return new PartRefused(refused(change, context, known), change);
  const advice = headers.get('x-should-retry') ?? String(answer.shouldRetry);
  const retryable =
    advice === 'false' ? false : advice === 'true' && !isExplicit ? true : undefined;
  const { now, maxRetryAfterMs: maxMs } = context;
  const isRate = type === 'RateLimited' || type === 'NoCapacity';
  const wait = retryAfterMs(answer, { isRate, now, maxMs });
  return failure(type, context, { ...known, retryable, retryAfterMs: wait });
}

/**
 * Returns the failure for an error inside an answer with status 200; undefined if there is none, or
 * if a possible error is not recognised.
 *
 * @param isRead Whether a client has found a generation in it; then only an error in an envelope or
 * in the choice counts.
 * @param spent Returns the usage of a generation with an error in it, if the provider reports it.
 */
export function failureInside(
  body: unknown,
  context: CallContext,
  { isRead = false, spent }: { isRead?: boolean; spent?: () => Failure['spent'] } = {},
): Failure | undefined {
  const inside = errorInside(body);
  if (!inside) return undefined;
  const { answer, isCertain, inChoice } = inside;
  if (isRead && !isCertain && !inChoice) return undefined;
  const { isExplicit } = meaningOfError(answer, context.model, context.asked);
  if (!isCertain && !isExplicit && answer.status === undefined) return undefined;
  // An error inside a choice comes with generated tokens.
  return classifyAnswer(answer, context, inChoice ? { billed: true, spent: spent?.() } : {});
}

function refused(change: RequestChange, context: CallContext, details: FailureDetails): Failure {
  if ('without' in change) return failure('ParameterRefused', context, details);
  const { model, provider, asked } = context;
  const what = `Model "${model}" at ${provider} refused a limit of ${asked?.limit?.tokens} tokens`;
  const todo = `The next attempt asks with ${change.limit.most}.`;
  return failure('ParameterRefused', context, { ...details, what, todo });
}

/**
 * Returns the failure of a redirect. Its target is shown without the query, which may repeat the
 * request.
 */
function redirected({ http, headers }: ErrorAnswer, context: CallContext): Failure {
  const to = headers.get('location') ?? '';
  const target = URL.canParse(to) ? new URL(to) : undefined;
  const named = target ? `, to ${scrub(target.origin + target.pathname, context.secrets)}` : '';
  const what = `The server at ${context.provider} redirects${shortened(named, QUOTED_CHARS)}`;
  return failure('Incompatible', context, { status: http, what });
}

function tooLongIn(error: unknown): AnswerTooLong | undefined {
  if (error instanceof AnswerTooLong) return error;
  return error instanceof Error ? tooLongIn(error.cause) : undefined;
}

/** Details of a failure, in addition to its type and context. */
interface FailureDetails {
  /** Replaces the usual message of the type; contains no secret. */
  what?: string;
  /** Replaces the usual advice of the type. */
  todo?: string;
  status?: number;
  reply?: string;
  cause?: unknown;
  retryable?: boolean | undefined;
  billed?: boolean | undefined;
  spent?: Failure['spent'];
  retryAfterMs?: number | undefined;
}

/**
 * Returns a Failure of a type, with a message, advice and the provider's words, and without secrets
 * in any part.
 */
export function failure(
  type: FailureType,
  context: CallContext,
  details: FailureDetails = {},
): Failure {
  const status = details.status === undefined ? '' : ` (HTTP ${details.status})`;
  const reply = details.reply
    ? ` It said: ${shortened(scrub(details.reply, context.secrets), QUOTED_CHARS)}`
    : '';
  const what = details.what ?? explain(type, context);
  const todo = details.todo === undefined ? advise(type, context) : ` ${details.todo}`;
  return new Failure(type, `${what}${status}.${todo}${reply}`, {
    retryAfterMs: details.retryAfterMs,
    retryable: details.retryable,
    billed: details.billed,
    spent: details.spent,
    cause: details.cause === undefined ? undefined : scrubError(details.cause, context.secrets),
  });
}

function explain(type: FailureType, context: CallContext): string {
  const { purpose = 'chat', model, provider, timeoutMs } = context;
  const at = `at ${provider}`;
  switch (type) {
    case 'Authentication':
      return `The key was not accepted ${at}`;
    case 'Permission':
      return `The key may not use model "${model}" ${at}`;
    case 'UnknownModel':
      return `There is no model "${model}" ${at}`;
    case 'ContextTooLong':
      return `The ${purpose === 'chat' ? 'prompt' : 'text'} is longer than model "${model}" accepts ${at}`;
    case 'ContentRefused':
      return `Model "${model}" ${at} refused to answer because of the content`;
    case 'QuotaExhausted':
      return `The quota or credit of the key is used up ${at}`;
    case 'RateLimited':
      return `Too many requests for model "${model}" ${at}`;
    case 'NoCapacity':
      return `There is no capacity for model "${model}" at the flex tier ${at}`;
    case 'Overloaded':
      return `The server ${at} cannot answer at the moment`;
    case 'Timeout':
      return `Model "${model}" ${at} gave no complete answer ${timeoutMs === undefined ? 'in time' : `within ${timeoutMs / 1000} s`}`;
    case 'Connection':
      return `The connection to ${provider} failed`;
    case 'MalformedResponse':
      return `The server ${at} sent an answer that cannot be read`;
    case 'SchemaRefused':
      return `Model "${model}" ${at} did not accept the JSON schema of the step`;
    case 'ParameterRefused':
      return `Model "${model}" ${at} refused a parameter`;
    default:
      return `The request to model "${model}" ${at} was not accepted`;
  }
}

function advise(type: FailureType, { purpose = 'chat', advice }: CallContext): string {
  const own = advice?.[type];
  if (own !== undefined) return ` ${own}`;
  const { key, baseUrl } = ENDPOINT_VARIABLES[purpose];
  switch (type) {
    case 'Authentication':
      return ` Set ${key} to a valid key in the environment of the worker.`;
    case 'Permission':
      return ' Use another model, or a key of a project that has access to it.';
    case 'UnknownModel':
      return ` Check the name of the model, and ${baseUrl} (it usually ends in /v1).`;
    case 'ContextTooLong':
      return purpose === 'chat'
        ? ' Ask with fewer passages, or use a model with a larger context.'
        : ' Use shorter passages, or a model that accepts longer ones.';
    case 'QuotaExhausted':
      return ' Add credit or raise the limit at the provider, then start again.';
    case 'Connection':
      return ` Check that the server runs, and ${baseUrl}.`;
    case 'AnswerTooLong':
      return ` Check ${baseUrl}.`;
    case 'MalformedResponse':
      return ` If it happens again, check ${baseUrl} (it usually ends in /v1).`;
    case 'Incompatible':
      return ` Set ${baseUrl} to the URL of the API itself.`;
    case 'SchemaRefused':
      return ' Ask for the text form (outputs: "text", --outputs text) or ask another model.';
    case 'ParameterRefused':
      return ' The next attempt leaves it out.';
    default:
      return '';
  }
}
