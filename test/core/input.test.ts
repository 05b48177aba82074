import { expect, it } from 'vitest';
import { Failure } from '../../core/failure.js';
import { parseInput } from '../../core/options/input.js';
import { modelFor, modelNames } from '../../core/step-models.js';
import { methods } from '../../interpreters/methods.js';
import type { OwnMethod } from '../../workflows/define-method.js';
import { allies as alliesMethod } from '../../workflows/methods/allies/allies.js';
import { base as baseMethod } from '../../workflows/methods/base.js';

const { sure: sureMethod } = methods;

function refusal(input: unknown): string {
  try {
    parseInput({ options: sureMethod.options }, input);
  } catch (error) {
    if (error instanceof Failure && error.type === 'BadInput') return error.message;
    throw error;
  }
  throw new Error('was accepted');
}

it('takes the own ids and scores of passages', () => {
  const passages = [
    { id: 7, text: 'a', score: 0.5 },
    { id: 'wiki-8', text: 'b' },
  ];
  const input = { question: 'q', retrieval: { passages } };
  expect(parseInput({ options: sureMethod.options }, input).retrieval.passages).toEqual([
    { id: '7', title: '', text: 'a', score: 0.5 },
    { id: 'wiki-8', title: '', text: 'b' },
  ]);
});

it('fills in every default', () => {
  expect(parseInput({ options: sureMethod.options }, { question: ' Who? ' })).toEqual({
    question: 'Who?',
    retrieval: { corpus: 'sample' },
    models: {},
    prompts: 'default',
    seed: 0,
    cache: true,
    limits: {
      reasks: 2,
      attempts: 6,
      refusals: 200,
      outageSeconds: 300,
      callTimeoutSeconds: 300,
    },
    labels: {},
    options: {
      passages: 10,
      candidates: 2,
      demonstrations: [],
      answerForm: 'short',
      selection: 'validityAndRanking',
    },
  });
});

it.each([
  ['tier', 'flex'],
  ['outputs', 'schema'],
] as const)('takes one of %s for all steps, or by step', (field, value) => {
  const parsed = (given: unknown) =>
    parseInput(sureMethod, { question: 'Who?', [field]: given } as object)[field];
  expect(parsed(value)).toEqual({ default: value });
  expect(parsed({ rankPair: value })).toEqual({ rankPair: value });
  expect(parsed(undefined)).toBeUndefined();
  expect(() => parsed('other')).toThrow(new RegExp(`${field}: must be one of .*${value}`));
  expect(() => parsed({ rankPairs: value })).toThrow(/\.rankPairs: .*rankPair\?/);
});

it('takes a model with its parameters by step', () => {
  const validate = { model: 'b', temperature: 0.5, topP: 0.9, maxTokens: 32 };
  const models = { default: 'a', validate, rankPair: { reasoningEffort: 'low' } };
  const parsed = parseInput(sureMethod, { question: 'Who?', models } as object).models;
  const { model: _, ...parameters } = validate;
  expect(
    ['summarize', 'validate', 'rankPair'].map((step) => modelFor(step, { models: parsed }, 'z')),
  ).toEqual([
    { model: 'a' },
    { model: 'b', parameters },
    { model: 'a', parameters: { reasoningEffort: 'low' } },
  ]);
  expect(modelNames(parsed)).toEqual(['a', 'b']);
  expect(modelFor('read', { models: { default: { temperature: 1 } } }, 'z')).toEqual({
    model: 'z',
    parameters: { temperature: 1 },
  });
});

it.each([
  [{ validate: { temperatur: 1 } }, /models\.validate\.temperatur: .*temperature\?/],
  [{ validate: { temperature: 3 } }, /models\.validate\.temperature: .*from 0 to 2/],
  [{ validate: { maxTokens: 0 } }, /models\.validate\.maxTokens: .*from 1/],
  [{ validate: { reasoningEffort: 'hihg' } }, /reasoningEffort: .*did you mean high\?/],
  [{ validte: { temperature: 1 } }, /models\.validte: .*validate\?/],
])('refuses the parameters %j', (models, said) => {
  expect(() => parseInput(sureMethod, { question: 'Who?', models } as object)).toThrow(said);
});

const refused: [string, unknown, RegExp][] = [
  ['an empty question', { question: '  ' }, /question: is empty/],
  [
    'a question of 100,000 characters',
    { question: 'x'.repeat(100_000) },
    /question: is 100000 characters long; at most 20000/,
  ],
  [
    'a passage without text',
    { question: 'q', retrieval: { passages: [{ title: 't', text: ' ' }] } },
    /retrieval\.passages\.0\.text: is empty/,
  ],
  [
    'an id of a passage whose digits are lost already',
    { question: 'q', retrieval: { passages: [{ text: 't', id: 2 ** 60 }] } },
    /retrieval\.passages\.0\.id: must be a text, or a whole number up to 2\^53/,
  ],
  [
    'a corpus beside passages',
    { question: 'q', retrieval: { passages: [{ text: 't' }], corpus: 'wiki' } },
    /retrieval\.corpus: has no effect: retrieval\.passages .*; leave out one of the two/,
  ],
];
it.each(refused)('refuses %s and names the field', (_, input, message) => {
  expect(refusal(input)).toMatch(message);
});

it.each([
  ['base', baseMethod, { passages: 0 }],
  ['allies', alliesMethod, { evidence: 'generated' }],
] as [string, OwnMethod<unknown>, object][])(
  'refuses to say how %s searches where it does not',
  (_, method, options) => {
    const asked = (retrieval: object) => () =>
      parseInput<unknown>(method, { question: 'q', options, retrieval });
    expect(asked({ mode: 'dense' })).toThrow(/retrieval\.mode: has no effect: .*; leave it out/);
    expect(asked({ passages: [{ text: 't' }] })).toThrow(/retrieval\.passages: has no effect/);
    expect(asked({ corpus: 'wiki' })).toThrow(/retrieval\.corpus: has no effect/);
    expect(asked({})).not.toThrow();
    // As a complete input has it.
    expect(asked({ corpus: 'sample' })).not.toThrow();
  },
);

it('takes the corpus that a batch names to all of its questions', () => {
  const input = { question: 'q', options: { passages: 0 }, retrieval: { corpus: 'wiki' } };
  const parsed = parseInput<unknown>(baseMethod as OwnMethod<unknown>, input, true);
  expect(parsed.retrieval.corpus).toBe('wiki');
  expect(() => parseInput<unknown>(baseMethod as OwnMethod<unknown>, input)).toThrow(
    /retrieval\.corpus: has no effect/,
  );
});
