/** Which failure an error stands for: one row a case, no server. */
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../core/failure.js';
import { classifyError } from '../../llm/openai/classify-error.js';
import { enveloped } from '../../llm/openai/client.js';
import type { CallContext } from '../../llm/provider-failure.js';

const context: CallContext = {
  model: 'some-model',
  provider: 'https://models.example/v1',
  timeoutMs: 30_000,
  maxRetryAfterMs: 60_000,
  secrets: ['the-secret-key'],
  now: Date.parse('2026-01-01T00:00:00Z'),
};

/** The error the client throws for an answer. */
function answer(status: number, body: unknown, headers: Record<string, string> = {}): APIError {
  const text = enveloped(typeof body === 'string' ? body : JSON.stringify(body));
  const json: object | undefined = text.startsWith('{') ? JSON.parse(text) : undefined;
  return APIError.generate(status, json, json ? undefined : text, new Headers(headers));
}

const error = (fields: object) => ({ error: fields });
const say = (message: string) => error({ message });

describe('answers', () => {
  const vllm = "This model's maximum context length is 4096 tokens. However, you requested 5000";
  const gemini = 'The input token count exceeds the maximum number of tokens';
  const tooLarge = error({ code: 'rate_limit_exceeded', message: 'Request too large on TPM' });

  test.each<[string, number, unknown, string]>([
    ['no room at the flex tier', 429, error({ code: 'resource_unavailable' }), 'NoCapacity'],
    ['no room at Groq', 498, say('Flex tier capacity exceeded'), 'NoCapacity'],
    ['wrong key', 401, say('Incorrect API key provided'), 'Authentication'],
    ['no access', 403, say('Project does not have access'), 'Permission'],
    ['unknown path', 404, '<h1>Not Found</h1>', 'UnknownModel'],
    ['unknown model as 400', 400, error({ code: 'model_not_found' }), 'UnknownModel'],
    ['limit too high', 400, say("'max_tokens' must be below 4096"), 'BadRequest'],
    ['not implemented', 501, say('This server does not support chat'), 'BadRequest'],
    ['OpenAI context', 400, error({ code: 'context_length_exceeded' }), 'ContextTooLong'],
    ['llama.cpp context', 400, error({ type: 'exceed_context_size_error' }), 'ContextTooLong'],
    ['vLLM context, no envelope', 400, { object: 'error', message: vllm }, 'ContextTooLong'],
    ['Anthropic context', 400, say('prompt is too long: 210000 tokens > 200000'), 'ContextTooLong'],
    ['Ollama context', 400, { error: 'input exceeds the context length' }, 'ContextTooLong'],
    ['Gemini list', 400, [say(gemini)], 'ContextTooLong'],
    ['too large', 413, '', 'ContextTooLong'],
    ['more than a minute may hold', 429, tooLarge, 'ContextTooLong'],
    ['content filter', 400, error({ code: 'content_filter' }), 'ContentRefused'],
    ['policy', 400, error({ code: 'content_policy_violation' }), 'ContentRefused'],
    ['Azure policy', 400, say("triggered Azure's content management policy"), 'ContentRefused'],
    ['OpenRouter moderation', 403, say('Your input was flagged'), 'ContentRefused'],
    ['no credit at Anthropic', 400, say('Your credit balance is too low'), 'QuotaExhausted'],
    ['wrong key at Google', 400, say('API key not valid. Pass a valid one'), 'Authentication'],
    ['quota by type', 429, error({ type: 'insufficient_quota' }), 'QuotaExhausted'],
    ['billing limit', 400, error({ code: 'billing_hard_limit_reached' }), 'QuotaExhausted'],
    ['no credit', 402, say('Insufficient Balance'), 'QuotaExhausted'],
    ['rate', 429, error({ code: 'rate_limit_exceeded' }), 'RateLimited'],
    ['rate of Gemini', 429, say('You exceeded your current quota'), 'RateLimited'],
    ['server timeout', 408, '', 'Overloaded'],
    ['lock', 409, say('conflict'), 'Overloaded'],
    ['internal', 500, 'Internal Server Error', 'Overloaded'],
    ['Cloudflare', 524, '', 'Overloaded'],
  ])('%s: %i', (_, status, body, type) => {
    const failure = classifyError(answer(status, body), context);
    const retryable = ['RateLimited', 'NoCapacity', 'Overloaded'].includes(type);
    expect({ type: failure.type, retryable: failure.retryable }).toEqual({ type, retryable });
  });

  test.each<[string, number, unknown, string, boolean]>([
    ['true beats the status', 400, say('try again'), 'true', true],
    ['false beats the status', 503, say('do not'), 'false', false],
  ])('x-should-retry: %s', (_, status, body, header, retryable) => {
    const failure = classifyError(answer(status, body, { 'x-should-retry': header }), context);
    expect(failure.retryable).toBe(retryable);
  });

  test('carry the wait the server asked for, capped', () => {
    const wait = (headers: Record<string, string>, status = 429) =>
      classifyError(answer(status, '', headers), context).retryAfterMs;
    expect(wait({ 'retry-after': '3' })).toBe(3000);
    expect(wait({ 'retry-after': '3' }, 503)).toBe(3000);
    expect(wait({ 'retry-after': '3600' })).toBe(60_000);
    expect(wait({ 'x-ratelimit-reset-tokens': '6s' })).toBe(6000);
    expect(wait({ 'x-ratelimit-reset-tokens': '6s' }, 503)).toBeUndefined();
  });
});

describe('no answer', () => {
  const refused = new TypeError('fetch failed', {
    cause: Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' }),
  });

  const closed = new Error('other side closed');

  test.each<[string, unknown, string]>([
    ['timeout', new APIConnectionTimeoutError(), 'Timeout'],
    ['refused', new APIConnectionError({ cause: refused }), 'Connection'],
    ['cut body', new TypeError('terminated', { cause: closed }), 'MalformedResponse'],
    ['not JSON', new SyntaxError('Unexpected token <'), 'MalformedResponse'],
  ])('%s', (_, thrown, type) => {
    expect(classifyError(thrown, context)).toMatchObject({ type, retryable: true });
  });

  test('a Failure stays what it is', () => {
    const failure = new Failure('ContentRefused', 'no');
    expect(classifyError(failure, context)).toBe(failure);
  });
});

describe('messages', () => {
  test('say what happened, where, what to do, and what the provider said', () => {
    const failure = classifyError(answer(401, say('Incorrect key')), context);
    expect(failure.message).toBe(
      'The key was not accepted at https://models.example/v1 (HTTP 401). Set OPENAI_API_KEY to a ' +
        'valid key in the environment of the worker. It said: Incorrect key',
    );
  });

  test('are short and hold no secret, and neither does the cause', () => {
    const long = `the-secret-key ${'blah '.repeat(1000)}`;
    const failure = classifyError(answer(400, say(long)), context);
    expect(failure.message.length).toBeLessThan(600);
    const cause = failure.cause as Error;
    expect(`${failure.message}${cause.message}${cause.stack}`).not.toContain('the-secret-key');
    expect(cause.stack).not.toContain('node_modules');
  });
});
