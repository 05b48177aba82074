/** The schema form: what a step is asked in it, and what of an output is read. */
import { describe, expect, it } from 'vitest';
import { requestOf } from '../../activities/runtime/model-request.js';
import { createPromptLibrary } from '../../activities/runtime/prompts.js';
import { stepOutput } from '../../activities/runtime/step-output.js';
import type { OutputForm } from '../../core/step-models.js';
import { cacheKey } from '../../llm/response-cache.js';
import { defineStep } from '../../steps/define.js';
import { verdict } from '../../steps/outputs/choice.js';
import { reasoned } from '../../steps/outputs/labelled.js';
import { shapeOf } from '../../steps/outputs/output.js';
import { completionOf } from '../support/completion.js';

const judge = defineStep<{ claim: string }, boolean>({
  name: 'judge it',
  prompt: 'judge',
  maxTokens: 8,
  variables: ({ claim }) => ({ claim }),
  output: verdict(),
  stop: ['\n\n'],
  fallback: () => false,
});

const prompts = createPromptLibrary(undefined, { judge: 'True or False: {{claim}}' });
const ports = {
  prompts,
  demonstrationSets: { pairs: async () => [], find: async () => expect.fail() },
  corpora: { open: async () => expect.fail() },
  passages: { get: async () => [], put: async () => [] },
} as never;
const asked = (form: OutputForm, step = judge) =>
  requestOf(
    step,
    { claim: 'Water is wet.' },
    { model: 'm', corpus: null, prompts: 'default', seed: 0, attempt: 0, form },
    ports,
  );

describe('a request', () => {
  it('has one more line and a schema, in which it differs from the one in words', async () => {
    const [text, json] = await Promise.all([asked('text'), asked('schema')]);
    const [words = '', held = ''] = [text, json].map(({ request }) => request.messages[0]?.content);
    expect(words).toBe('True or False: Water is wet.');
    expect(held.startsWith(`${words}\n`)).toBe(true);
    expect(held.slice(words.length + 1)).toContain('{"answer": "True" | "False"}');
    expect(held.slice(words.length + 1)).not.toContain('\n');
    expect(text.request).not.toHaveProperty('schema');
    const { schema } = judge.output as { schema: object };
    expect(json.request.schema).toEqual({ name: 'judge_it', schema });
    expect(json.hash).not.toBe(text.hash);
    expect([text.request.stop, json.request.stop]).toEqual([['\n\n'], ['\n\n']]);
    const keys = [text, json].map(({ request }) =>
      cacheKey({ provider: 'p', request, sample: 0, attempt: 0 }),
    );
    expect(new Set(keys).size).toBe(2);
  });

  it('is the same in both forms where the type of output has no schema', async () => {
    const own = { ...judge, output: { form: 'yes or no', read: () => true } };
    const both = await Promise.all([asked('text', own), asked('schema', own)]);
    expect(both[0]).toEqual(both[1]);
  });
});

const read = (text: string, form: OutputForm) => {
  const call = { key: 'k', prompt: 'h', cached: false, form };
  const { value, unread } = stepOutput(judge, { claim: '' }, completionOf(text), call);
  return unread === undefined ? value : 'unread';
};

it.each<[string, OutputForm, boolean | 'unread']>([
  ['{"answer": "True"}', 'schema', true],
  ['{"answer": "True"}', 'text', true],
  ['True', 'text', true],
  // An endpoint that took no notice of the schema is not read as if it had.
  ['True', 'schema', 'unread'],
  ['{"verdict": "True"}', 'schema', 'unread'],
])('reads %s of the %s form as %s', (text, form, value) => {
  expect(read(text, form)).toBe(value);
});

it('tells a schema in a line, with the reasoning before the answer', () => {
  expect(shapeOf(reasoned('').schema ?? {})).toBe('{"reasoning": "...", "answer": "..."}');
  const list = { type: 'array', items: { type: 'integer', minimum: 1, maximum: 3 } };
  expect(shapeOf({ type: 'object', properties: { order: list } })).toBe('{"order": [1 to 3, ...]}');
});
