/** Which parameters a model gets. */
import { expect, test } from 'vitest';
import { isReasoningModel, toBody } from '../../llm/openai/chat-completion.js';
import { namedIn, type Refusable } from '../../llm/refused-parameter.js';

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
const everything = toBody(request, new Set(), 50);

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
  expect(toBody(request, new Set(), 1050)).toEqual({ ...everything, max_tokens: 1050 });
  expect(toBody(request, refused, 1050)).toEqual({ model, messages, max_completion_tokens: 1050 });
});

test('effort, stop sequences, logprobs and a schema are sent; all but that until refused', () => {
  const schema = { name: 'validate', schema: { type: 'object' } };
  const wished = { reasoningEffort: 'low', stop: ['\n\n'], logprobs: true as const };
  const wanted = { ...request, ...wished, schema };
  const response_format = { type: 'json_schema', json_schema: { ...schema, strict: true } };
  const body = toBody(wanted, new Set(), 50);
  const sent = { reasoning_effort: 'low', stop: ['\n\n'], logprobs: true, response_format };
  expect(body).toEqual({ ...everything, ...sent });
  const message = 'Unrecognized request argument supplied: reasoning_effort';
  expect(namedIn(message, [], { ...body })).toBe('reasoning_effort');
  expect(toBody(wanted, new Set(['stop', 'reasoning_effort', 'logprobs']), 50)).toEqual({
    ...everything,
    response_format,
  });
});
