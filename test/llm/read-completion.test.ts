/** What is read out of an answer's body. */
import { describe, expect, test } from 'vitest';
import { readCompletion } from '../../llm/openai/chat-completion.js';
import type { CallContext } from '../../llm/provider-failure.js';
import { scrub } from '../../llm/scrub.js';

const context: CallContext = {
  model: 'asked-model',
  provider: 'openai',
  timeoutMs: 1,
  maxRetryAfterMs: 1,
  secrets: [],
  now: 0,
};
const prices = new Map([['priced', { prompt: 1, cachedPrompt: 0.5, completion: 2 }]]);

const body = (content: unknown, more: object = {}) => ({
  choices: [{ message: { content }, finish_reason: 'stop' }],
  ...more,
});
const read = (answer: unknown, isLocal = false) =>
  readCompletion(answer, context, { prices, isLocal });

describe('usage', () => {
  const counts = { prompt_tokens: 9, completion_tokens: 3 };
  test.each<[string, unknown, number[]]>([
    ['OpenAI', { ...counts, prompt_tokens_details: { cached_tokens: 4 } }, [9, 4, 3]],
    ['DeepSeek', { ...counts, prompt_cache_hit_tokens: 5 }, [9, 5, 3]],
    ['no details', { ...counts, prompt_tokens_details: null }, [9, 0, 3]],
    ['more cached than sent', { ...counts, prompt_cache_hit_tokens: 10 }, [9, 9, 3]],
  ])('%s', (_, usage, [promptTokens, cachedPromptTokens, completionTokens]) => {
    expect(read(body('a', { usage })).usage).toEqual({
      promptTokens,
      cachedPromptTokens,
      completionTokens,
    });
  });
});

describe('cost', () => {
  const usage = { prompt_tokens: 1_000_000, completion_tokens: 500_000 };
  const counted = (prompt_tokens: number, completion_tokens: number) => ({
    model: 'priced',
    usage: { prompt_tokens, completion_tokens },
  });
  test.each<[string, object, boolean, number | null]>([
    ['of a known model', { model: 'priced', usage }, false, 2],
    ['of an unknown one is unknown', { usage }, false, null],
    ['of an unknown one on this machine is nothing', { usage }, true, 0],
    ['without usage is unknown', { model: 'priced' }, false, null],
    ['of half a count', { model: 'priced', usage: { prompt_tokens: 5 } }, false, null],
    ['of counts below 0', counted(5, -1), false, null],
    ['of counts that are not finite', counted(Infinity, 1), false, null],
    ['of nothing that was read or written', counted(0, 0), false, 0],
  ])('%s', (_, more, isLocal, cost) => {
    expect(read(body('a', more), isLocal).costUsd).toBe(cost);
  });
});

describe('the probability of the text', () => {
  const withLogprobs = (content: string, logprobs: unknown) =>
    read({ choices: [{ message: { content }, logprobs }] });
  const tokens = [{ logprob: -0.5 }, { logprob: -0.25 }];
  test.each<[string, string, unknown, number | undefined]>([
    ['is the sum over its tokens', 'Paris', { content: tokens }, -0.75],
    ['is never above 1', 'Paris', { content: [{ logprob: 1e-7 }] }, 0],
    ['is absent where it is not given in full', 'Paris', { content: [{}] }, undefined],
    ['is absent where it is empty', 'Paris', { content: [] }, undefined],
  ])('%s', (_, content, logprobs, logprob) => {
    const completion = withLogprobs(content, logprobs);
    expect(completion.text).toBe('Paris');
    expect(completion.logprob).toBe(logprob);
  });
});

test('the model asked for stands in where the answer names none', () => {
  expect(read(body('a'))).toMatchObject({ servedModel: 'asked-model', fingerprint: null });
});

test('content in parts is put together', () => {
  const parts = ['Par', 'is'].map((text) => ({ type: 'text', text }));
  expect(read(body(parts)).text).toBe('Paris');
});

test.each([null, undefined, 'text', 7, {}, { choices: null }, { choices: [{}] }])(
  'a body of %j is malformed',
  (answer) => {
    expect(() => read(answer)).toThrow(expect.objectContaining({ type: 'MalformedResponse' }));
  },
);

test.each<[string, string]>([
  ['key my-key-1 here', 'key [hidden] here'],
  ['Incorrect API key provided: ab***yz. See', 'Incorrect API key provided: [hidden] See'],
  ['sk-proj-abc_DEF-123 was refused', '[hidden] was refused'],
  ['Authorization: Bearer eyJ.x.y', 'Authorization: Bearer [hidden]'],
  ['at https://me:pw@host/v1', 'at https://[hidden]@host/v1'],
  ['GET /v1?api-key=abc&x=1', 'GET /v1?api-key=[hidden]&x=1'],
  ['a%2Fb c is encoded', '[hidden] c is encoded'],
  ['a risk-averse task-list', 'a risk-averse task-list'],
  ['the API key provided ab12cd34 is wrong', 'the API key provided [hidden] is wrong'],
  ['bearer AbCdEfGhIjKlMnOp is old', 'bearer [hidden] is old'],
  ['Basic dXNlcjpwYXNzd29yZA== is old', 'Basic [hidden] is old'],
  ...[
    'Invalid API key provided. Ensure that it is there.',
    'No API key provided (see the docs)',
    'Incorrect API key provided: . See the docs',
    'Use Bearer authentication, or Basic authorization.',
    'Bearer token-based access is off; Bearer TOKEN is not',
    'Send Bearer <your-key> or Basic information!',
  ].map((said): [string, string] => [said, said]),
])('%j is scrubbed', (text, expected) => {
  expect(scrub(text, ['my-key-1', 'a/b', 'x'])).toBe(expected);
});
