/** What errors of providers mean: the same by HTTP status, inside a 200, in a batch, through the AI SDK. */

import fc from 'fast-check';
import { APIError } from 'openai';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../core/canonical-json.js';
import type { Failure, FailureType } from '../../core/failure.js';
import { classifyError as classifyOfSdk } from '../../llm/ai-sdk/classify-error.js';
import { readLine } from '../../llm/openai/batch-lines.js';
import { readCompletion } from '../../llm/openai/chat-completion.js';
import { classifyError } from '../../llm/openai/classify-error.js';
import { enveloped } from '../../llm/openai/client.js';
import { type CallContext, PartRefused } from '../../llm/provider-failure.js';
import { ALL_SENT } from '../../llm/refused-parameter.js';

const context: CallContext = {
  model: 'larch-7',
  provider: 'https://models.example/v1',
  timeoutMs: 30_000,
  maxRetryAfterMs: 600_000,
  secrets: [],
  now: Date.parse('2026-01-01T00:00:00Z'),
  asked: { sent: ALL_SENT, limit: { tokens: 8256, answer: 64, chars: 1200 } },
};
const pricing = { prices: new Map(), isLocal: false };

type Headers_ = Record<string, string>;

function byHttp(status: number, body: unknown, headers: Headers_ = {}): Failure {
  const text = enveloped(typeof body === 'string' ? body : JSON.stringify(body));
  const json = parseJson(text) as object | undefined;
  const error = APIError.generate(status, json, json ? undefined : text, new Headers(headers));
  return classifyError(error, context);
}

function bySdk(statusCode: number, body: unknown, responseHeaders: Headers_ = {}): Failure {
  const responseBody = typeof body === 'string' ? body : JSON.stringify(body);
  const thrown = new Error('the call failed');
  const fields = { name: 'AI_APICallError', statusCode, responseBody, responseHeaders };
  return classifyOfSdk(Object.assign(thrown, fields), context);
}

function byBatch(status_code: number, body: unknown): Failure {
  const line = JSON.stringify({ custom_id: 'a', response: { status_code, body } });
  const read = readLine(line, context, pricing);
  if (read && 'failure' in read) return read.failure;
  throw new Error('the line was read as an answer');
}

function inside200(body: unknown): Failure {
  try {
    readCompletion(body, context, pricing);
  } catch (failure) {
    return failure as Failure;
  }
  throw new Error('the body was read as an answer');
}

/** What the failure is, and what is learned by it. */
const meant = (failure: Failure) =>
  failure instanceof PartRefused ? failure.change : (failure.type as FailureType);

const error = (fields: object) => ({ error: fields });
const say = (message: string) => error({ message });

const MEANINGS: readonly [FailureType, number, unknown][] = [
  // Models that are not there.
  ['UnknownModel', 400, say('larch-7 is not a valid model ID')],
  ['UnknownModel', 400, { type: 'invalid_model', message: 'larch-7?', code: '1500' }],
  [
    'UnknownModel',
    400,
    say('The supported API model names are fir-1 and fir-2, but you passed larch-7.'),
  ],
  ['UnknownModel', 400, error({ message: 'Model Not Exist', type: 'invalid_request_error' })],
  ['UnknownModel', 400, { error: '/chat: Invalid model name passed in model=larch-7.' }],
  ['UnknownModel', 422, { detail: 'No such model: larch-7' }],
  ['UnknownModel', 400, say('The model `larch-7` has been decommissioned.')],
  ['UnknownModel', 503, error({ code: 'model_not_found', message: 'No channel' })],
  ['UnknownModel', 400, { message: 'The provided model identifier is invalid.' }],
  ['UnknownModel', 400, { error: JSON.stringify(say('larch-7 is not a valid model ID')) }],
  ['UnknownModel', 400, say("'larch-7' is not a supported model")],
  ['UnknownModel', 404, 'no such path'],
  // Keys.
  ['Authentication', 400, error({ message: 'Incorrect API key provided: la***ch' })],
  [
    'Authentication',
    400,
    [error({ status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] })],
  ],
  ['Authentication', 403, { code: 'InvalidApiKey', message: 'The key is wrong.' }],
  ['Authentication', 500, error({ code: 'invalid_api_key' })],
  ['Permission', 400, { __type: 'x', type: 'AccessDeniedException', message: 'No.' }],
  // Quotas, whatever the status.
  [
    'QuotaExhausted',
    429,
    error({ type: 'exceeded_current_quota_error', message: 'Please recharge' }),
  ],
  ['QuotaExhausted', 500, error({ code: 'insufficient_quota' })],
  [
    'QuotaExhausted',
    403,
    { code: 'Some words', error: 'Your team does not have any credits yet.' },
  ],
  [
    'QuotaExhausted',
    400,
    error({ type: 'budget_exceeded', message: 'The budget is gone', code: '400' }),
  ],
  [
    'QuotaExhausted',
    402,
    say('It needs more credits, or fewer max_tokens: 8256 is too large for 200.'),
  ],
  // Prompts that are too long.
  ['ContextTooLong', 500, error({ type: 'exceed_context_size_error', message: '9000 tokens' })],
  ['ContextTooLong', 400, error({ code: 'too_many_prompt_tokens' })],
  [
    'ContextTooLong',
    413,
    error({ code: 'tokens_limit_reached', message: 'Max size: 8000 tokens.' }),
  ],
  [
    'ContextTooLong',
    429,
    error({ code: 'rate_limit_exceeded', message: 'Request too large: 9000' }),
  ],
  [
    'ContextTooLong',
    400,
    say(
      'The maximum context length is 8192 tokens, but you requested 17456 (9200 in the messages).',
    ),
  ],
  // Contents.
  [
    'ContentRefused',
    400,
    error({ code: 'x', innererror: { code: 'ResponsibleAIPolicyViolation' } }),
  ],
  ['ContentRefused', 400, say('Content Exists Risk')],
  ['ContentRefused', 403, { error: 'The content violates the usage guidelines.' }],
  ['ContentRefused', 400, error({ code: 'data_inspection_failed', message: 'Output data' })],
  // Rates and rooms.
  ['RateLimited', 500, error({ code: 'rate_limit_exceeded' })],
  ['RateLimited', 503, { message: 'ThrottlingException: slow down', type: 'ThrottlingException' }],
  ['RateLimited', 400, error({ code: 429, message: 'upstream is busy' })],
  ['NoCapacity', 429, error({ code: 'rate_limit_exceeded', message: 'No flex capacity' })],
  ['Overloaded', 429, error({ type: 'engine_overloaded_error', message: 'Come again' })],
  ['Overloaded', 400, { message: 'It is gone', statusCode: 503 }],
  // What a model wrote that its server could not read.
  ['MalformedResponse', 400, error({ code: 'tool_use_failed', failed_generation: '<f>' })],
  [
    'MalformedResponse',
    400,
    error({ code: 'json_validate_failed', message: 'not by json_schema' }),
  ],
  // Requests.
  ['BadRequest', 400, error({ message: 'messages: wrong', type: 'invalid_request_error' })],
  ['BadRequest', 500, error({ code: 400, message: 'wrong' })],
  ['BadRequest', 418, say('')],
  ['SchemaRefused', 400, error({ param: 'response_format.json_schema', message: 'too deep' })],
  ['SchemaRefused', 501, say('A grammar is not built in')],
];

describe.each(MEANINGS)('%s: %i %j', (type, status, body) => {
  test('by HTTP status, in a batch, through the AI SDK', () => {
    for (const failure of [byHttp(status, body), bySdk(status, body), byBatch(status, body)]) {
      expect(meant(failure)).toBe(type);
    }
  });
});

const LESSONS: readonly [object, number, unknown][] = [
  // Parameters, and values of them.
  [{ without: 'temperature' }, 400, say('invalid temperature: only 1 is allowed for this model')],
  [{ without: 'temperature' }, 400, say('`temperature` may only be set to 1 here')],
  [{ without: 'temperature' }, 400, error({ param: 'temperature', code: 'unsupported_value' })],
  [{ without: 'temperature' }, 422, { detail: 'temperature must be strictly positive' }],
  [{ without: 'logprobs' }, 400, [error({ message: 'Logprobs is not enabled for larch-7' })]],
  [{ without: 'logprobs' }, 400, say('larch-7 does not support top_logprobs or logprobs')],
  [
    { without: 'reasoning_effort' },
    400,
    { error: 'Argument not supported on this model: reasoningEffort' },
  ],
  [
    { without: 'reasoning_effort' },
    400,
    say('`reasoning_effort` must be one of `none`, `default`'),
  ],
  [
    { without: 'max_tokens' },
    400,
    say("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'."),
  ],
  [
    { without: 'seed' },
    422,
    { detail: [{ type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra' }] },
  ],
  [{ without: 'top_p' }, 400, say('`temperature` and `top_p` cannot both be given')],
  [{ without: 'top_p' }, 400, error({ param: 'topP', message: 'topP is not supported' })],
  [{ without: 'service_tier' }, 400, say('This model has no flex tier')],
  // Limits of tokens.
  [
    { limit: { context: 8192, tokensPerChar: 0.25, most: 7892 } },
    400,
    say("'max_tokens' 8256 is too large: the context is 8192, and there are 300 input tokens"),
  ],
  [
    { limit: { context: 8192, tokensPerChar: 0.25, most: 7892 } },
    400,
    error({
      code: 'context_length_exceeded',
      message:
        'The context length is 8,192 tokens; 8,556 were requested (300 in the messages, 8,256 in the completion).',
    }),
  ],
  [
    { limit: { context: 8192, tokensPerChar: 0.25, most: 7892 } },
    400,
    {
      object: 'error',
      message: 'Maximum context length is 8192 tokens. However, you requested 8556 tokens.',
      code: 400,
    },
  ],
  [
    { limit: { context: 8400, tokensPerChar: 0.25, most: 8100 } },
    422,
    {
      error:
        '`inputs` tokens + `max_new_tokens` must be <= 8400. Given: 300 `inputs` tokens and 8256',
    },
  ],
  [
    { limit: { context: 8500, tokensPerChar: 0.25, most: 8200 } },
    400,
    say('input length and `max_tokens` exceed context limit: 300 + 8256 > 8500'),
  ],
  [{ limit: { most: 8192 } }, 400, say('Range of max_tokens should be [1, 8192]')],
  [
    { limit: { most: 4096 } },
    400,
    say('max_tokens: 8256 > 4096, the maximum number of output tokens'),
  ],
  [{ limit: { most: 4095 } }, 400, say("'max_tokens' must be below 4096")],
  [
    { limit: { most: 8192 } },
    400,
    say('maxOutputTokens is 8256 but its range is from 1 to 8193 (exclusive)'),
  ],
  [
    { limit: { most: 4128 } },
    400,
    error({ param: 'max_tokens', message: 'The value is too high.' }),
  ],
  [
    { limit: { most: 4128 } },
    422,
    say('Error code: 400 - max_completion_tokens is too large for larch-7-4096'),
  ],
];

test.each(LESSONS)('%j is learned of %i %j', (lesson, status, body) => {
  for (const failure of [byHttp(status, body), bySdk(status, body), byBatch(status, body)]) {
    expect(failure).toMatchObject({ type: 'ParameterRefused', retryable: true, retryAfterMs: 0 });
    expect(meant(failure)).toEqual(lesson);
  }
});

test.each<[FailureType, string]>([
  [
    'ContextTooLong',
    'The context length is 8192; you requested 16426 tokens (8170 in the messages).',
  ],
  ['BadRequest', "'temperature' must be at most 1"],
  ['BadRequest', 'metadata.temperatures is not supported'],
])('nothing is learned, but %s, of: %s', (type, message) => {
  expect(meant(byHttp(400, say(message)))).toBe(type);
});

describe('a value out of a range', () => {
  const meantOf = (sent: object, body: object) => {
    const asked = { ...context.asked, sent };
    const error = APIError.generate(400, body, undefined, new Headers());
    return meant(classifyError(error, { ...context, asked }));
  };
  const value = (param: string, message: string) => ({ error: { message, param } });

  test.each([
    ['temperature', say('temperature must be greater than 0')],
    ['temperature', say('Invalid temperature: the valid range is (0, 2]')],
    ['temperature', error({ detail: [{ loc: ['body', 'temperature'], msg: 'must be > 0' }] })],
    ['temperature', value('temperature', 'Expected a value >= 0.01, but got 0 instead.')],
    ['seed', say('seed should be within [0, 65535]')],
    ['seed', value('seed', 'integer above the maximum: Input should be less than or equal to 9')],
  ])('is left out if steps have chosen it: %s, %j', (without, body) => {
    expect(meantOf({ temperature: 0, seed: 2 ** 40, max_tokens: 64 }, body)).toEqual({ without });
  });

  test.each([
    ['temperature', say('temperature must be between 0 and 1')],
    ['temperature', value('temperature', 'Expected a value <= 1, but got 1.5 instead.')],
    ['top_p', say('top_p should be less than or equal to 1')],
  ])('is a bad request if a person has: %s, %j', (_, body) => {
    expect(meantOf({ temperature: 1.5, top_p: 2, max_tokens: 64 }, body)).toBe('BadRequest');
  });
});

test('a limit is not lowered below what a request needs, and a message says what is next', () => {
  const small = { sent: ALL_SENT, limit: { tokens: 20, answer: 20, chars: 10 } };
  const thrown = (message: string) =>
    APIError.generate(400, say(message), undefined, new Headers());
  const cannot = classifyError(thrown('max_tokens is too large'), { ...context, asked: small });
  expect(meant(cannot)).toBe('BadRequest');
  expect(byHttp(400, say('Range of max_tokens should be [1, 8192]')).message).toBe(
    'Model "larch-7" at https://models.example/v1 refused a limit of 8256 tokens (HTTP 400). The ' +
      'next attempt asks with 8192. It said: Range of max_tokens should be [1, 8192]',
  );
});

describe('inside a 200', () => {
  const good = { choices: [{ message: { content: 'Paris' }, finish_reason: 'stop' }] };

  test.each<[FailureType, unknown]>([
    ['RateLimited', error({ code: 429, message: 'busy' })],
    ['RateLimited', error({ code: '429', message: 'busy' })],
    ['BadRequest', error({ status: 422, code: 'odd', message: 'no' })],
    ['UnknownModel', { status: 404, error: 'gone' }],
    ['QuotaExhausted', error({ code: 402, message: 'pay' })],
    ['Overloaded', error({ status: 'INTERNAL', code: 502, message: 'no' })],
    ['ContentRefused', error({ code: 'content_filter' })],
    ['ContextTooLong', error({ code: 'context_length_exceeded' })],
    ['Authentication', error({ code: 'invalid_api_key' })],
    ['UnknownModel', error({ code: 'model_not_found' })],
    ['RateLimited', error({ code: 'rate_limit_exceeded' })],
    ['RateLimited', error({ message: 'Rate limit: 100 output tokens per minute' })],
    ['ContextTooLong', { error: 'The prompt is too long' }],
    ['UnknownModel', { error: { error: { error: say('larch-7 is not a valid model ID') } } }],
    [
      'UnknownModel',
      error({ message: 'It failed', metadata: { raw: '{"type":"invalid_model"}' } }),
    ],
    ['BadRequest', error({ status: 'INVALID_ARGUMENT', message: 'no' })],
    ['Overloaded', error({ message: 'What?' })],
    ['Overloaded', { error: true }],
    ['Overloaded', error({ code: 1302, message: 'What?' })],
    ['RateLimited', { object: 'error', message: 'busy', code: 429 }],
    ['RateLimited', { errors: [{ message: 'Too many requests' }] }],
  ])('%s: %j', (type, body) => {
    expect(meant(inside200(body))).toBe(type);
    expect(meant(inside200({ ...good, ...(body as object) }))).toBe(type);
    expect(meant(byBatch(200, body))).toBe(type);
    expect(meant(bySdk(200, body))).toBe(type);
  });

  test.each<[FailureType, unknown]>([
    ['QuotaExhausted', { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }],
    ['Authentication', { code: 'InvalidApiKey', message: 'No.' }],
    ['Overloaded', { code: 503, message: 'No.' }],
    ['MalformedResponse', { message: 'Hello!', code: 7 }],
  ])('%s without an envelope, and without a choice: %j', (type, body) => {
    expect(meant(inside200(body))).toBe(type);
    expect(meant(bySdk(200, body))).toBe(type);
    const [choice] = good.choices;
    expect(readCompletion({ ...(body as object), choices: [choice] }, context, pricing).text).toBe(
      'Paris',
    );
  });

  test.each<[FailureType, unknown]>([
    ['RateLimited', { code: 429, message: 'busy' }],
    ['ContentRefused', { code: 'content_filter' }],
    ['Overloaded', { code: 503, message: 'no' }],
    ['ContextTooLong', 'The prompt is too long'],
  ])('%s in a choice: %j, whose tokens were written', (type, inner) => {
    const broken = { choices: [{ ...good.choices[0], error: inner }] };
    expect(inside200(broken)).toMatchObject({ type, billed: true, spent: undefined });
    const usage = { prompt_tokens: 300, completion_tokens: 20, total_tokens: 320 };
    const spent = { attempts: 1, promptTokens: 300, completionTokens: 20 };
    expect(inside200({ ...broken, usage })).toMatchObject({ type, billed: true, spent });
    expect(byBatch(200, { ...broken, usage })).toMatchObject({ type, billed: true, spent });
  });

  test.each([{}, [], null, '', 0, false, { code: null, message: '' }, { a: { b: [] } }])(
    'the error %j beside a good choice is none',
    (nothing) => {
      const body = { ...good, error: nothing };
      expect(readCompletion(body, context, pricing).text).toBe('Paris');
      const [choice] = good.choices;
      const inner = { choices: [{ ...choice, error: nothing }] };
      expect(readCompletion(inner, context, pricing).text).toBe('Paris');
    },
  );

  test('a parameter is learned as of any other error', () => {
    const refusal = say('invalid temperature: only 1 is allowed');
    expect(meant(inside200(refusal))).toEqual({ without: 'temperature' });
  });
});

describe('waits', () => {
  const busy = { message: 'busy', code: 429 };
  test.each<[number | undefined, object, Headers_]>([
    [34_000, { details: [{ '@type': 'x/google.rpc.RetryInfo', retryDelay: '34s' }] }, {}],
    [34_500, { details: [{ retryDelay: '34.5s' }] }, {}],
    [12_000, { details: [{ retryDelay: { seconds: '12' } }] }, {}],
    [7000, { retry_after: 7 }, {}],
    [250, { retryAfterMs: 250 }, {}],
    [3000, { retry_after: 7 }, { 'retry-after': '3' }],
    [360_000, {}, { 'x-ratelimit-reset': '6m0s' }],
    [9000, { metadata: { headers: { 'X-RateLimit-Reset': `${context.now + 9000}` } } }, {}],
    [20_000, { message: 'Please retry after 20 seconds.' }, {}],
    [62_500, { message: 'Too many. Please try again in 1m2.5s.' }, {}],
    [undefined, { message: 'Please try again later.' }, {}],
    [undefined, { details: [{ retryDelay: 'soon' }] }, {}],
  ])('%s of %j and %j', (wait, fields, headers) => {
    const body = error({ ...busy, ...fields });
    for (const failure of [byHttp(429, body, headers), bySdk(429, body, headers)]) {
      expect(failure).toMatchObject({ type: 'RateLimited', retryAfterMs: wait });
    }
  });

  test('of a body inside a 200', () => {
    const body = error({ ...busy, details: [{ retryDelay: '5s' }] });
    expect(inside200(body).retryAfterMs).toBe(5000);
    expect(byBatch(200, body).retryAfterMs).toBe(5000);
  });
});

describe('for all bodies', () => {
  /** A way in which a server, or a router in front of it, wraps an error. */
  const nestings: readonly ((inner: unknown) => unknown)[] = [
    (inner) => ({ error: inner }),
    (inner) => [inner],
    (inner) => ({ detail: inner }),
    (inner) => ({ errors: [inner] }),
    (inner) => ({
      error: { message: 'The provider failed', metadata: { raw: JSON.stringify(inner) } },
    }),
    (inner) => ({ message: JSON.stringify(inner) }),
    (inner) => ({ error: { message: `Upstream: ${JSON.stringify(inner)}` } }),
    (inner) => ({ innererror: inner, message: 'It failed' }),
  ];
  const nesting = fc
    .array(fc.constantFrom(...nestings), { maxLength: 3 })
    .map((wraps) => (inner: unknown) => wraps.reduce((body, wrap) => wrap(body), inner));
  const cased = (word: string) =>
    fc.constantFrom(
      word,
      word.toUpperCase(),
      word.replaceAll('_', '-'),
      word.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()),
      `${word}_error`,
    );
  const unknownWord = fc.stringMatching(/^zz[a-z]{0,8}$/);

  test.each<[FailureType, string]>([
    ['QuotaExhausted', 'insufficient_quota'],
    ['ContextTooLong', 'context_length_exceeded'],
    ['ContentRefused', 'content_filter'],
    ['UnknownModel', 'model_not_found'],
    ['Authentication', 'invalid_api_key'],
    ['RateLimited', 'rate_limit_exceeded'],
    ['Overloaded', 'engine_overloaded'],
  ])('%s: the code %s decides, in any case and nesting, at any status', (type, word) => {
    const key = fc.constantFrom('code', 'type', 'reason', 'error_code', 'errorType');
    const status = fc.integer({ min: 400, max: 599 });
    fc.assert(
      fc.property(nesting, key, cased(word), status, unknownWord, (wrap, name, code, at, other) => {
        const body = wrap({ message: other, [name]: code });
        expect(meant(byHttp(at, body))).toBe(type);
        expect(meant(bySdk(at, body))).toBe(type);
        expect(meant(byBatch(at, body))).toBe(type);
        expect(meant(inside200({ error: body }))).toBe(type);
      }),
      { numRuns: 60 },
    );
  });

  test('an unknown word decides nothing: the status of the body does, else that of the answer', () => {
    const byStatus = (status: number) => meant(byHttp(status, ''));
    const status = fc.integer({ min: 400, max: 599 });
    const own = fc.option(status, { nil: undefined });
    fc.assert(
      fc.property(nesting, unknownWord, status, own, fc.boolean(), (wrap, word, at, said, text) => {
        const code = said === undefined ? {} : { status: text ? String(said) : said };
        const body = wrap({ message: word, code: word, ...code });
        expect(meant(byHttp(at, body))).toBe(byStatus(said ?? at));
        expect(meant(bySdk(at, body))).toBe(byStatus(said ?? at));
        expect(meant(inside200({ error: body }))).toBe(byStatus(said ?? 500));
      }),
      { numRuns: 100 },
    );
  });

  test('whatever is sent is a failure with a text, and a refused limit becomes smaller', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 400, max: 599 }), (body, status) => {
        expect(byHttp(status, body as unknown).message).not.toBe('');
        expect(bySdk(status, body as unknown).message).not.toBe('');
      }),
    );
    const number = fc.integer({ min: 0, max: 20_000 });
    const word = fc.constantFrom(
      'max_tokens',
      'context',
      'input tokens',
      'exceeds',
      'of',
      'at most',
    );
    const words = fc.array(fc.oneof(number, word), { minLength: 2, maxLength: 9 });
    fc.assert(
      fc.property(words, (said) => {
        const failure = byHttp(400, say(said.join(' ')));
        if (!(failure instanceof PartRefused) || !('limit' in failure.change)) return;
        expect(failure.change.limit.most).toBeLessThan(8256);
        expect(failure.change.limit.most).toBeGreaterThanOrEqual(15);
      }),
    );
  });
});
