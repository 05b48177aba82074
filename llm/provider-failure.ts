/** What a provider's error answer means: a Failure with a name, and what to do. Pure. */

import { Failure, type FailureType, reasonIn } from '../core/failure.js';
import { shortened } from '../core/shortened.js';
import { AnswerTooLong, isRedirect } from './bounded-fetch.js';
import { type Purpose, VARIABLES } from './openai/endpoint.js';
import { retryAfterMs } from './retry-after.js';
import { SAID, scrub, scrubError } from './scrub.js';

/** What the message of a failure says about the call. Holds no secret but in `secrets`. */
export interface CallContext {
  /** @default 'chat' */
  purpose?: Purpose;
  model: string;
  provider: string;
  /** Absent where only the caller's signal ends the call. */
  timeoutMs?: number;
  /** What to do, if it is not setting a variable of the environment. */
  advice?: Partial<Record<FailureType, string>>;
  maxRetryAfterMs: number;
  /** Values that must not appear in any text. */
  secrets: readonly string[];
  /** Milliseconds since the epoch, for Retry-After dates. */
  now: number;
}

/** An error answer of the provider in one form. */
export interface ProviderAnswer {
  status: number;
  code: string;
  type: string;
  param: string;
  message: string;
  header: (name: string) => string | null | undefined;
  /** Whether the client would retry, if it does not decide by the status. */
  shouldRetry?: boolean | undefined;
}

const CONTEXT_CODES = /context_length_exceeded|exceed_context_size|string_above_max_length/;
const CONTEXT_MESSAGE =
  /maximum context length|context (length|size|window)|prompt is too long|(input|prompt|request)( \w+)? (is )?too (long|large)|too many (input |prompt )?tokens|exceeds? the (available|maximum|model's) (context|number of tokens)/i;
const QUOTA_CODES =
  /insufficient_quota|billing_hard_limit_reached|billing_not_active|insufficient_(balance|credits)/;
/** Anthropic's 400 for it has only a general type. */
const QUOTA_MESSAGE = /credit balance is too low/i;
/** Google answers 400 to an invalid key. */
const KEY_MESSAGE = /api[ _]key (is )?(not valid|invalid|expired)|API_KEY_INVALID/i;
/** OpenAI has no room at the flex tier (429); Groq says so by a status of its own, 498. */
const ROOM = /resource[_ ]unavailable|capacity[_ ]exceeded|flex/i;
const REFUSAL_CODES =
  /content_filter|content_policy|responsibleaipolicyviolation|moderation_blocked/i;
const REFUSAL_MESSAGE =
  /content (management|filter|policy|moderation)|was flagged|has been flagged/i;

/**
 * Returns the failure that stands for whatever a client threw.
 *
 * @param answerOf The provider's answer in an error, if it came to one.
 * @param typeOf What an error means that came without.
 */
export function classifyThrown(
  error: unknown,
  answerOf: (error: unknown) => ProviderAnswer | undefined,
  typeOf: (error: unknown) => FailureType,
  context: CallContext,
): Failure {
  if (error instanceof Failure) return error;
  const answer = answerOf(error);
  if (answer) return classifyAnswer(answer, error, context);
  const tooLong = tooLongIn(error);
  if (tooLong) {
    const what = `The server at ${context.provider} sent more than ${tooLong.bytes / 1e6} MB in one answer`;
    return failure('AnswerTooLong', context, { what });
  }
  const type = typeOf(error);
  return failure(type, context, { said: type === 'Timeout' ? '' : reasonIn(error), cause: error });
}

/**
 * Returns the failure that an error answer stands for.
 *
 * What the body says beats the status, and `x-should-retry` beats the status but not the body: a
 * used-up quota comes as 429 and is never worth a retry.
 *
 * @param error What the client threw with it.
 */
function classifyAnswer(answer: ProviderAnswer, error: unknown, context: CallContext): Failure {
  if (isRedirect(answer.status)) return redirected(answer, context);
  const fromBody = typeFromBody(answer);
  const type = fromBody ?? typeFromStatus(answer.status);
  const advice = answer.header('x-should-retry') ?? String(answer.shouldRetry);
  const retryable = advice === 'false' ? false : advice === 'true' && !fromBody ? true : undefined;
  return failure(type, context, {
    status: answer.status,
    said: answer.message,
    cause: error,
    retryable,
    retryAfterMs: retryAfterMs(answer.header, {
      status: answer.status,
      now: context.now,
      maxMs: context.maxRetryAfterMs,
    }),
  });
}

/** Names the target without its query, which may repeat what was sent. */
function redirected({ status, header }: ProviderAnswer, context: CallContext): Failure {
  const to = header('location') ?? '';
  const target = URL.canParse(to) ? new URL(to) : undefined;
  const named = target ? `, to ${scrub(target.origin + target.pathname, context.secrets)}` : '';
  const what = `The server at ${context.provider} sends elsewhere${shortened(named, SAID)}`;
  return failure('Incompatible', context, { status, what });
}

function typeFromBody({ status, code, type, message }: ProviderAnswer): FailureType | undefined {
  const codes = `${code} ${type}`;
  if (status === 498) return 'NoCapacity';
  if (status === 402 || QUOTA_CODES.test(codes)) return 'QuotaExhausted';
  if (status >= 500 || status === 401) return undefined;
  if (status === 400 && QUOTA_MESSAGE.test(message)) return 'QuotaExhausted';
  if (status === 400 && KEY_MESSAGE.test(message)) return 'Authentication';
  if (CONTEXT_CODES.test(codes) || status === 413) return 'ContextTooLong';
  // OpenAI and Groq answer 429 to a prompt that alone is over the limit of a minute: waiting won't help.
  if (status === 429 && /request too large/i.test(message)) return 'ContextTooLong';
  if (status === 429) return ROOM.test(`${codes} ${message}`) ? 'NoCapacity' : undefined;
  if (code === 'model_not_found') return 'UnknownModel';
  if (REFUSAL_CODES.test(codes) || REFUSAL_MESSAGE.test(message)) return 'ContentRefused';
  if ((status === 400 || status === 422) && CONTEXT_MESSAGE.test(message)) return 'ContextTooLong';
  return undefined;
}

function typeFromStatus(status: number): FailureType {
  if (status === 401) return 'Authentication';
  if (status === 403) return 'Permission';
  if (status === 404) return 'UnknownModel';
  if (status === 429) return 'RateLimited';
  // 408 and 409: the server stopped waiting, also for a lock. 501: it cannot do this at all.
  if (status === 408 || status === 409) return 'Overloaded';
  return status >= 500 && status !== 501 ? 'Overloaded' : 'BadRequest';
}

function tooLongIn(error: unknown): AnswerTooLong | undefined {
  if (error instanceof AnswerTooLong) return error;
  return error instanceof Error ? tooLongIn(error.cause) : undefined;
}

/** Makes the Failure: a message for a person, and nothing secret in any part of it. */
export function failure(
  type: FailureType,
  context: CallContext,
  details: {
    /** Replaces the usual message of the type; holds no secret. */
    what?: string;
    status?: number;
    said?: string;
    cause?: unknown;
    retryable?: boolean | undefined;
    billed?: boolean | undefined;
    retryAfterMs?: number | undefined;
  } = {},
): Failure {
  const status = details.status === undefined ? '' : ` (HTTP ${details.status})`;
  const said = details.said
    ? ` It said: ${shortened(scrub(details.said, context.secrets), SAID)}`
    : '';
  const what = details.what ?? explain(type, context);
  return new Failure(type, `${what}${status}.${advise(type, context)}${said}`, {
    retryAfterMs: details.retryAfterMs,
    retryable: details.retryable,
    billed: details.billed,
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
      return `The ${purpose === 'chat' ? 'prompt' : 'text'} is longer than model "${model}" takes ${at}`;
    case 'ContentRefused':
      return `Model "${model}" ${at} refused to answer because of the content`;
    case 'QuotaExhausted':
      return `The quota or credit of the key is used up ${at}`;
    case 'RateLimited':
      return `Too many requests for model "${model}" ${at}`;
    case 'NoCapacity':
      return `There is no room for model "${model}" at the flex tier ${at}`;
    case 'Overloaded':
      return `The server ${at} cannot answer at the moment`;
    case 'Timeout':
      return `Model "${model}" ${at} gave no complete answer ${timeoutMs === undefined ? 'in time' : `within ${timeoutMs / 1000} s`}`;
    case 'Connection':
      return `The connection to ${provider} failed`;
    case 'MalformedResponse':
      return `The server ${at} sent an answer that cannot be read`;
    case 'SchemaRefused':
      return `Model "${model}" ${at} did not take the JSON schema of the step`;
    case 'ParameterRefused':
      return `Model "${model}" ${at} refused a parameter`;
    default:
      return `The request to model "${model}" ${at} was not accepted`;
  }
}

function advise(type: FailureType, { purpose = 'chat', advice }: CallContext): string {
  const own = advice?.[type];
  if (own !== undefined) return ` ${own}`;
  const { key, baseUrl } = VARIABLES[purpose];
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
        : ' Use shorter passages, or a model that takes longer ones.';
    case 'QuotaExhausted':
      return ' Add credit or raise the limit at the provider, then start again.';
    case 'Connection':
      return ` Check that the server runs, and ${baseUrl}.`;
    case 'AnswerTooLong':
      return ` Check ${baseUrl}.`;
    case 'MalformedResponse':
      return ` Where it goes on, check ${baseUrl} (it usually ends in /v1).`;
    case 'Incompatible':
      return ` Set ${baseUrl} to where the API itself is.`;
    case 'SchemaRefused':
      return ' Ask for the text form (outputs: "text", --outputs text) or ask another model.';
    case 'ParameterRefused':
      return ' The next attempt leaves it out.';
    default:
      return '';
  }
}
