/**
 * The meaning of provider errors: one table for all endpoints, adapters and batches. Pure.
 *
 * The tables are searched in this order: codes; messages, each at its statuses; the status alone.
 * The status is the least exact, because providers use one status for several errors.
 */
import type { FailureType } from '../core/failure.js';
import type { ErrorAnswer } from './error-answer.js';
import { type LimitChange, limitChangeIn, type SentLimit } from './refused-limit.js';
import { namedIn, type Refusable, type SentParameters } from './refused-parameter.js';

/**
 * The parts of a sent request that a server may refuse: its parameters with their values, and its
 * token limit.
 */
export interface SentRequest {
  sent: SentParameters;
  /** The token limit; absent if nothing is generated, or if the request is not known. */
  limit?: SentLimit;
}

/**
 * The change of the next request after a refusal: a parameter to leave out, or a smaller token
 * limit.
 */
export type RequestChange = { without: Refusable } | { limit: LimitChange };

/** The type of failure that an error means, and what to learn from it. */
interface Meaning {
  type: FailureType;
  /** Whether the type follows from the error's code or message, rather than from its status. */
  isExplicit: boolean;
  /** The change of the next request; absent if nothing was refused that it could leave out. */
  change?: RequestChange | undefined;
}

/** One rule of a table: errors that match it are of this type. */
interface Row {
  type: FailureType;
  /**
   * Set if the error is about a value out of range: then a parameter is left out only if a step
   * chose its value, not if a person did.
   */
  isOfRange?: true;
  /**
   * Statuses at which the row applies; every status if left out. An error inside a 200 without a
   * status of its own meets all of them.
   */
  at?: readonly number[];
  pattern?: RegExp;
}

/** Rows by code, ignoring case and punctuation; "Error" and "Exception" at the end are removed. */
const CODES: readonly (Row & { codes: string })[] = [
  {
    type: 'QuotaExhausted',
    codes:
      'insufficient_quota exceeded_current_quota insufficient_user_quota insufficient_balance ' +
      'insufficient_credits insufficient_funds billing billing_not_active arrearage ' +
      'billing_hard_limit_reached budget_exceeded payment_required account_overdue',
  },
  {
    type: 'ContextTooLong',
    codes:
      'context_length_exceeded context_window_exceeded max_context_length_exceeded ' +
      'exceed_context_size context_size_exceeded string_above_max_length too_many_tokens ' +
      'too_many_prompt_tokens too_many_input_tokens model_max_prompt_tokens_exceeded ' +
      'tokens_limit_reached prompt_too_long input_too_long request_too_large payload_too_large',
  },
  // A single prompt above the limit of a minute: waiting does not help.
  { type: 'ContextTooLong', codes: 'rate_limit_exceeded', pattern: /request too large/i },
  { type: 'NoCapacity', codes: 'rate_limit_exceeded', pattern: /\bflex\b/i },
  { type: 'NoCapacity', codes: 'resource_unavailable', at: [429, 498] },
  {
    type: 'ContentRefused',
    codes:
      'content_filter content_filtered content_policy content_policy_violation content_blocked ' +
      'content_moderation responsible_ai_policy_violation moderation_blocked prompt_blocked ' +
      'data_inspection_failed data_inspection inappropriate_content prohibited_content ' +
      'sensitive_content_detected input_text_sensitive_content_detected guardrail_intervened ' +
      'output_text_sensitive_content_detected safety sensitive',
  },
  {
    type: 'UnknownModel',
    codes:
      'model_not_found invalid_model invalid_model_id invalid_model_name unknown_model ' +
      'unsupported_model model_not_supported model_not_exist model_does_not_exist no_such_model ' +
      'model_not_available model_decommissioned deployment_not_found ' +
      'invalid_endpoint_or_model_not_found',
  },
  {
    type: 'Authentication',
    codes:
      'invalid_api_key incorrect_api_key api_key_invalid expired_api_key api_key_expired ' +
      'missing_api_key no_api_key authentication invalid_authentication unauthenticated ' +
      'unauthorized invalid_token expired_token unrecognized_client account_deactivated',
  },
  {
    type: 'Permission',
    codes:
      'permission permission_denied access_denied forbidden model_access_denied ' +
      'key_model_access_denied team_model_access_denied unsupported_country_region_territory',
  },
  // The model wrote something that its server could not read: the next attempt may succeed.
  { type: 'MalformedResponse', codes: 'tool_use_failed json_validate_failed output_parse_failed' },
  { type: 'SchemaRefused', codes: 'invalid_json_schema' },
  {
    type: 'ParameterRefused',
    codes:
      'unsupported_parameter unsupported_value unknown_parameter unrecognized_parameter ' +
      'parameter_not_supported extra_forbidden',
  },
  {
    type: 'RateLimited',
    codes:
      'rate_limit rate_limited rate_limit_exceeded rate_limit_reached too_many_requests throttling ' +
      'throttled throttling_rate_quota request_limit_exceeded limit_requests limit_burst_rate ' +
      'resource_exhausted',
  },
  {
    type: 'Overloaded',
    codes:
      'overloaded engine_overloaded server_overloaded model_overloaded slow_down unavailable ' +
      'service_unavailable server_busy model_not_ready',
  },
];

const MODEL_MISSING = [
  /not a (?:valid|supported|known|recognized) model|no such model|model identifier is invalid|unable to access model/,
  /\b(?:invalid|unknown|unsupported|unrecognized) model\b(?! (?:inputs?|outputs?|parameters?)\b)/,
  /supported (?:api )?model names|llm provider not provided|no models? (?:is |are )?loaded/,
  /\bmodels?\b\S{0,200}(?: \S{1,200}){0,3}? (?:does not|doesn't|do not|not) exist/,
  /\b(?:models?|deployment)\b\S{0,200}(?: \S{1,200}){0,3}? (?:not|n't|cannot|could not)(?: be)? found/,
  /\bmodels?\b\S{0,200}(?: \S{1,200})? (?:is |are )(?:not|n't) (?:supported|available|deployed)/,
  /\bmodels?\b.{0,200}? (?:deprecated|decommissioned|retired|shut down|end of life)/,
  /not found the model|deployment .{0,80}does not exist|on-demand throughput isn.t supported/,
];

const RATE =
  /rate.?limit|too many requests|throttl|(?:tokens|requests) per (?:second|min|hour|day)/i;

const MESSAGES: readonly (Row & { at: readonly number[]; pattern: RegExp })[] = [
  {
    type: 'QuotaExhausted',
    at: [400, 402, 403, 429],
    pattern:
      /credit balance is too low|insufficient (?:account )?(?:balance|credits?|funds)|(?:do not|does not|n't) have any credits|used (?:up )?all (?:available |your )?credits|out of credits|(?:reached|exceeded) (?:its|your|the) .{0,30}(?:spending|billing|usage|credit) limit|budget has been exceeded/i,
  },
  {
    type: 'Authentication',
    at: [400, 401, 403],
    pattern:
      /api[ _-]?key (?:is |was )?(?:not valid|not found|invalid|incorrect|expired|missing|required|revoked|disabled)|(?:incorrect|invalid|wrong|missing|malformed|expired|no) api[ _-]?key|API_KEY_INVALID|security token .{0,40}(?:invalid|expired)|\bunauthorized\b|no auth\w* credentials|authentication (?:failed|fails|required)/i,
  },
  {
    type: 'SchemaRefused',
    at: [400, 422, 501],
    pattern: /response[_ ]?format|json[_ ]?schema|structured outputs?|grammar/i,
  },
  {
    type: 'ParameterRefused',
    at: [400, 422],
    pattern:
      /unsupported|not supported|(?:does not|doesn't|do not) support|unrecognized|unknown (?:parameter|field|name|argument)|unexpected keyword|extra (?:inputs|fields)|extra_forbidden|deprecated for|cannot both|only .{0,40}(?:is|are) (?:allowed|supported|permitted|accepted)|only (?:the default|be set)|not (?:enabled|allowed|permitted|available|compatible)|incompatible|is (?:fixed|disabled)|cannot be (?:set|used|changed|specified)|must be (?:one of|set to|equal to|exactly)|strictly positive|service[_ ]?tier|\bflex\b/i,
  },
  {
    type: 'UnknownModel',
    at: [400, 403, 404, 410, 422],
    pattern: new RegExp(MODEL_MISSING.map(({ source }) => source).join('|'), 'i'),
  },
  { type: 'ContextTooLong', at: [429], pattern: /request too large/i },
  {
    type: 'ContextTooLong',
    at: [400, 413, 422, 500],
    pattern:
      /maximum (?:context|prompt) length|context (?:length|size|window|limit)|prompt is too long|(?:input|prompt|request)(?: \w+)? (?:is )?too (?:long|large)|too many (?:input |prompt )?tokens|exceeds? (?:the )?(?:available|maximum|model's|token) (?:context|number of tokens|limit)|must be at least 1, got -/i,
  },
  {
    type: 'ContentRefused',
    at: [400, 403, 422, 451],
    pattern:
      /content (?:management|filter|policy|moderation)|(?:was|been) flagged|content exists risk|inappropriate content|usage (?:guidelines|polic(?:y|ies))|data inspection|safety (?:system|filter|polic(?:y|ies))/i,
  },
  {
    type: 'ParameterRefused',
    at: [400, 422],
    isOfRange: true,
    pattern:
      /\brange\b|(?:above|below|over|under|exceeds?)[_ ](?:the[_ ])?(?:max|min|allowed)|(?:must|should|has to|have to|needs? to) be (?:strictly |a )?(?:greater|less|larger|smaller|higher|lower|positive|non-?negative|at (?:least|most)|between|within|in |from|no (?:more|less)|[<>≤≥[(])|(?:less|greater) than or equal|expected a value [<>≤≥]/i,
  },
  { type: 'NoCapacity', at: [429, 498], pattern: /\bflex\b|resource unavailable/i },
  { type: 'RateLimited', at: [403, 429, 500, 503], pattern: RATE },
];

/**
 * Types by status. Any other status from 500 on is the server's fault, any other below is the
 * request's.
 */
const STATUSES: Readonly<Record<number, FailureType>> = {
  401: 'Authentication',
  402: 'QuotaExhausted',
  403: 'Permission',
  404: 'UnknownModel',
  // The server stopped waiting, perhaps for a lock.
  408: 'Overloaded',
  409: 'Overloaded',
  410: 'UnknownModel',
  413: 'ContextTooLong',
  429: 'RateLimited',
  // Groq has no room at the flex tier.
  498: 'NoCapacity',
  // The server does not support this at all.
  501: 'BadRequest',
};

/** Words that replace a status in errors without one. */
const STATUS_WORDS: Readonly<Record<string, number>> = {
  invalidrequest: 400,
  invalidargument: 400,
  badrequest: 400,
  validation: 400,
  notfound: 404,
};

const UNKNOWN_STATUS = 500;

/** Rows by code, in the order of the table. */
const ROWS_OF = new Map<string, (typeof CODES)[number][]>();
for (const row of CODES) {
  for (const code of row.codes.split(' ').map(plain)) {
    ROWS_OF.set(code, [...(ROWS_OF.get(code) ?? []), row]);
  }
}

/**
 * Returns the `type` of failure that an error answer means, as `isExplicit` whether the error
 * itself names it (rather than its status alone), and the `change` of the next request after a
 * refusal, absent if nothing was refused that it could leave out.
 *
 * @param model The requested model; its name inside a message is ignored.
 * @param asked The parts that may have been refused. Without it, no refused part is recognised.
 */
export function meaningOfError(
  answer: ErrorAnswer,
  model: string,
  asked: SentRequest = { sent: {} },
): Meaning {
  const text = withoutName(answer.message, model);
  const codes = answer.codes.map(plain);
  const rows = new Set(codes.flatMap((code) => ROWS_OF.get(code) ?? []));
  const coded = CODES.filter((row) => rows.has(row));
  const byCode = firstOf(coded, answer, text, asked);
  if (byCode && byCode.type !== 'ContextTooLong') return byCode;
  const limit = limitRefused(answer, text, asked);
  if (limit) return { type: 'ParameterRefused', isExplicit: true, change: { limit } };
  const listed = byCode ?? firstOf(MESSAGES, answer, text, asked);
  if (listed) return listed;
  const words = codes.flatMap((code) => STATUS_WORDS[code] ?? []);
  const status = answer.status ?? words[0] ?? UNKNOWN_STATUS;
  const type = STATUSES[status] ?? (status >= 500 ? 'Overloaded' : 'BadRequest');
  return { type, isExplicit: false };
}

/** Returns the meaning by the first row that matches an answer; undefined if no row does. */
function firstOf(
  rows: readonly Row[],
  answer: ErrorAnswer,
  text: string,
  { sent }: SentRequest,
): Meaning | undefined {
  const { status, codes, params } = answer;
  for (const { type, at, pattern, isOfRange } of rows) {
    if (status !== undefined && at && !at.includes(status)) continue;
    if (pattern && !pattern.test([...codes, ...params, text].join(' '))) continue;
    // These rows apply only if the request has the part.
    if (type === 'SchemaRefused' && sent.response_format === undefined) continue;
    if (type !== 'ParameterRefused') return { type, isExplicit: true };
    const without = namedIn(text, params, sent);
    if (isOfRange && !(without && isChosenByStep(without, sent[without]))) continue;
    if (without) return { type, isExplicit: true, change: { without } };
  }
  return undefined;
}

/**
 * Returns whether a step chose the value of a parameter, rather than a person: a seed, or
 * temperature 0.
 */
function isChosenByStep(name: Refusable, value: unknown): boolean {
  return name === 'seed' || (name === 'temperature' && value === 0);
}

/**
 * Returns what a refused token limit teaches about the model, at the statuses of a bad request;
 * undefined if the answer is about something else.
 */
function limitRefused(
  { status, params }: ErrorAnswer,
  text: string,
  { limit }: SentRequest,
): LimitChange | undefined {
  const isPossible = status === undefined ? !RATE.test(text) : [400, 413, 422].includes(status);
  return limit && isPossible ? limitChangeIn(text, params, limit) : undefined;
}

/** Returns the text without the name of the model, which may contain words of the tables. */
function withoutName(text: string, model: string): string {
  const escaped = model.replace(/[^\w]/g, '\\$&');
  return text.replace(new RegExp(`(?<![\\w.-])${escaped}(?![\\w-])`, 'g'), '');
}

/** Returns a code in lower case, without punctuation and without "error" or "exception" at its end. */
function plain(code: string): string {
  return code
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/(?:error|exception)$/, '');
}
