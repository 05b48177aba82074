/** Which parameters a model gets. */
import { describe, expect, test } from 'vitest';
import {
  isReasoningModel,
  type Refusable,
  refusedParameter,
  refusesSchema,
  toBody,
} from '../../llm/openai/parameters.js';

test.each([
  ['o1', true],
  ['o1-mini-2024-09-12', true],
  ['o4-mini', true],
  ['gpt-5', true],
  ['gpt-5.1', true],
  ['gpt-5-chat-latest', false],
  ['gpt-4o', false],
  ['ft:o4-mini:org::id', true],
  ['qwen2.5', false],
])('%s reasons: %s', (model, expected) => {
  expect(isReasoningModel(model)).toBe(expected);
});

const request = {
  model: 'm',
  messages: [{ role: 'user' as const, content: 'hello' }],
  temperature: 0.5,
  topP: 0.9,
  maxTokens: 50,
  seed: 3,
};
const everything = toBody(request, new Set(), 0);

test('what is refused is left out, and the limit renamed; it has room to think', () => {
  const refused = new Set<Refusable>(['max_tokens', 'temperature', 'top_p', 'seed']);
  const { model, messages } = request;
  expect(everything).toEqual({
    model,
    messages,
    max_tokens: 50,
    temperature: 0.5,
    top_p: 0.9,
    seed: 3,
  });
  expect(toBody(request, new Set(), 1000)).toEqual({ ...everything, max_tokens: 1050 });
  expect(toBody(request, refused, 1000)).toEqual({ model, messages, max_completion_tokens: 1050 });
});

test('effort, stop sequences, logprobs and a schema are sent; all but that until refused', () => {
  const schema = { name: 'validate', schema: { type: 'object' } };
  const wished = { reasoningEffort: 'low', stop: ['\n\n'], logprobs: true as const };
  const wanted = { ...request, ...wished, schema };
  const response_format = { type: 'json_schema', json_schema: { ...schema, strict: true } };
  const body = toBody(wanted, new Set(), 0);
  const sent = { reasoning_effort: 'low', stop: ['\n\n'], logprobs: true, response_format };
  expect(body).toEqual({ ...everything, ...sent });
  const message = 'Unrecognized request argument supplied: reasoning_effort';
  const refusal = { status: 400, code: '', param: '', message };
  expect(refusedParameter(refusal, { ...body })).toBe('reasoning_effort');
  expect(toBody(wanted, new Set(['stop', 'reasoning_effort', 'logprobs']), 0)).toEqual({
    ...everything,
    response_format,
  });
});

describe('a refusal', () => {
  const answer = (
    message: string,
    fields: { code?: string; param?: string; status?: number } = {},
  ) => refusedParameter({ status: 400, code: '', param: '', message, ...fields }, everything);

  const renamed = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
  const value = "Unsupported value: 'temperature' does not support 0.5 with this model.";
  const mistral = '[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs"}]';
  const range = "'temperature' must be at most 1";

  test.each<[string, ReturnType<typeof answer>, string | undefined]>([
    ['OpenAI, renamed', answer(renamed, { param: 'max_tokens' }), 'max_tokens'],
    ['OpenAI, value', answer(value, { code: 'unsupported_value' }), 'temperature'],
    ['Groq', answer("property 'seed' is unsupported"), 'seed'],
    ['Mistral', answer(mistral, { status: 422 }), 'seed'],
    ['Anthropic', answer('`temperature` and `top_p` cannot both be specified'), 'top_p'],
    ['a value out of range', answer(range, { param: 'temperature' }), undefined],
    ['another parameter', answer('unsupported beside seed', { param: 'logprobs' }), undefined],
    ['the new limit alone', answer('unsupported parameter max_completion_tokens'), undefined],
    ['another status', answer('unsupported seed', { status: 500 }), undefined],
  ])('%s', (_, refused, expected) => {
    expect(refused).toBe(expected);
  });
});

test.each<[boolean, string, { code?: string; param?: string; status?: number }]>([
  [true, "Invalid parameter: 'response_format' of type 'json_schema' is not supported", {}],
  [true, 'Invalid schema for x: too deep', { param: 'response_format' }],
  [true, 'This model does not support response format `json_schema`', {}],
  [true, 'failed to parse grammar', { status: 422 }],
  [
    false,
    'Generated JSON does not match the expected json_schema',
    { code: 'json_validate_failed' },
  ],
  [false, 'messages: wrong', {}],
  [false, 'the response_format service is away', { status: 503 }],
])('refuses the schema: %s, %s', (expected, message, fields) => {
  expect(refusesSchema({ status: 400, code: '', param: '', message, ...fields })).toBe(expected);
});
