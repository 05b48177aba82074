/** Fields of one's own in the body of a call: which are refused, and to which steps they belong. */
import { describe, expect, test } from 'vitest';
import { extraBody } from '../../core/options/extra-body.js';
import { modelFor, withStepDefaults } from '../../core/step-models.js';
import { toBody } from '../../llm/openai/chat-completion.js';
import { REFUSABLE } from '../../llm/refused-parameter.js';
import { requestOf } from '../support/completion.js';

const problemsOf = (body: unknown) =>
  (extraBody.safeParse(body).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

describe('is taken', () => {
  test.each<[string, object]>([
    ['a switch of thinking', { enable_thinking: false }],
    ['a template', { chat_template_kwargs: { enable_thinking: false, bos_token: '<s>' } }],
    ["a router's choice", { provider: { order: ['DeepInfra'], allow_fallbacks: false } }],
    ['sampling of a local server', { top_k: 20, min_p: 0.05, repetition_penalty: 1.1 }],
    ['a budget of thoughts', { reasoning: { max_tokens: 2000 }, thinking: { type: 'disabled' } }],
    ['numbers of tokens', { stop_token_ids: [1, 2], skip_special_tokens: true }],
    ['a hash of a user', { safety_identifier: 'a1'.repeat(32), user: 'b2'.repeat(32) }],
    ['an adapter', { adapter: 'lab/answers-v2', guided_regex: '[a-z]{3,}' }],
    ['words that begin like keys', { note: 'task-oriented risk-averse sk-SK hf_models' }],
    ['nothing', {}],
  ])('%s', (_, body) => {
    expect(problemsOf(body)).toEqual([]);
  });
});

describe('what durable-rag says itself is refused, with where it is said', () => {
  const schema = { name: 's', schema: {} };
  const wholeBody = toBody(
    {
      ...requestOf('Who?', { seed: 1, topP: 0.9, stop: ['x'], reasoningEffort: 'low' }),
      logprobs: true,
      tier: 'flex',
      schema,
    },
    new Set(),
    0,
  );
  test.each([...new Set([...Object.keys(wholeBody), ...REFUSABLE])])('%s', (name) => {
    expect(problemsOf({ [name]: 'x' })).toEqual([
      expect.stringMatching(new RegExp(`^${name}: is decided by durable-rag; \\w`)),
    ]);
  });

  test.each<[string, RegExp]>([
    ['maxTokens', /set maxTokens in models/],
    ['Max-Completion-Tokens', /set maxTokens in models/],
    ['n_predict', /set maxTokens in models/],
    ['topP', /set topP in models/],
    ['stream', /one answer/],
    ['n', /one answer/],
    ['responseFormat', /set outputs to "schema"/],
    ['tools', /no calls of tools/],
    ['models', /name it in models/],
    ['extra_body', /by themselves/],
    ['extra_headers', /openAiModel/],
  ])('%s', (name, advice) => {
    expect(problemsOf({ enable_thinking: true, [name]: 1 })).toEqual([
      expect.stringMatching(advice),
    ]);
  });

  test('deeper, such a name is of somebody else', () => {
    expect(problemsOf({ reasoning: { max_tokens: 9, model: 'small' } })).toEqual([]);
  });
});

describe('a secret is refused, and not shown', () => {
  test.each<[string, object, string]>([
    ['by its name', { api_key: 'short' }, 'api_key'],
    ['by its name in other letters', { provider: { apiKey: 'short' } }, 'provider.apiKey'],
    ['as a header', { headers: { Authorization: 'abc' } }, 'headers.Authorization'],
    ['a password', { db: { user: 'a', password: 'b' } }, 'db.password'],
    ['a token', { hub: { 'access-token': 'b' } }, 'hub.access-token'],
    ["OpenAI's", { user: 'sk-proj-abcd1234abcd' }, 'user'],
    ["Google's", { a: ['x', `AIza${'b'.repeat(32)}`] }, 'a.1'],
    ["Hugging Face's", { hub: `hf_${'Ab1'.repeat(9)}` }, 'hub'],
    ["AWS's", { id: 'AKIAIOSFODNN7EXAMPLE' }, 'id'],
    ['a bearer', { auth: 'Bearer abcdefghijk' }, 'auth'],
    ['a web token', { sso: `eyJ${'a'.repeat(12)}.${'b'.repeat(12)}.c` }, 'sso'],
    ['in an address', { webhook: 'https://me:hunter2@there.example/x' }, 'webhook'],
    ['in a query', { webhook: 'https://there.example/x?sig=abc' }, 'webhook'],
    ['a long word', { plugin: `${'0123456789abcdef'.repeat(2)}` }, 'plugin'],
    ['in a name of a field', { keys: { [`gsk_${'Ab1'.repeat(9)}`]: true } }, 'keys'],
  ])('%s', (_, body, at) => {
    const [problem = '', ...others] = problemsOf(body);
    expect(others).toEqual([]);
    expect(problem).toMatch(new RegExp(`^${at}: looks like a secret.*header`));
    for (const value of ['hunter2', 'sk-proj', 'AIza', 'abcdefghijk', '0123456']) {
      expect(problem).not.toContain(value);
    }
  });
});

test.each<[string, unknown]>([
  ['no object', 'enable_thinking'],
  ['a list', ['x']],
  ['what is no JSON', { when: new Date(0) }],
  ['a number without end', { x: Number.NaN }],
  ['what has no value', { x: undefined }],
  ['a whole book', { x: 'ab '.repeat(2000) }],
])('%s is refused', (_, body) => {
  expect(problemsOf(body)).toHaveLength(1);
});

describe('for a step', () => {
  const extraBody = { enable_thinking: false, provider: { order: ['a'] } };
  const models = {
    default: 'm',
    rankPair: { temperature: 1 },
    validate: { model: 'v', extraBody: { provider: { order: ['b'] }, top_k: 5 } },
  };
  const of = (step: string) => modelFor(step, { models, extraBody }, 'x');

  test('those of all steps hold, and its own go before them, field by field', () => {
    expect(of('summarize')).toEqual({ model: 'm', parameters: { extraBody } });
    expect(of('rankPair')).toEqual({ model: 'm', parameters: { temperature: 1, extraBody } });
    expect(of('validate')).toEqual({
      model: 'v',
      parameters: {
        extraBody: { enable_thinking: false, provider: { order: ['b'] }, top_k: 5 },
      },
    });
    expect(modelFor('read', { models: {}, extraBody: {} }, 'x')).toEqual({ model: 'x' });
  });

  test("an input's take the place of the worker's, also where they are none", () => {
    const usual = { extraBody: { top_k: 1 } };
    expect(withStepDefaults({ models: {} }, usual)).toMatchObject(usual);
    expect(withStepDefaults({ models: {}, extraBody }, usual).extraBody).toEqual(extraBody);
    expect(withStepDefaults({ models: {}, extraBody: {} }, usual).extraBody).toEqual({});
    expect(withStepDefaults({ models: {} })).not.toHaveProperty('extraBody');
  });
});

test('no field takes the place of what a request says', () => {
  const fields = { model: 'other', messages: [], max_tokens: 1, temperature: 9, top_k: 3 };
  const request = requestOf('Who?', { maxTokens: 64, temperature: 0, extraBody: fields });
  const plain = toBody(requestOf('Who?', { maxTokens: 64, temperature: 0 }), new Set(), 0);
  expect(toBody(request, new Set(), 0)).toEqual({ ...plain, top_k: 3 });
});
