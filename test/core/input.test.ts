import { expect, it } from 'vitest';
import { parseInput } from '../../core/options/input.js';
import { datasetLabel } from '../../core/run/dataset-input.js';
import { modelFor, modelNames } from '../../core/step-models.js';
import { methods } from '../../interpreters/methods.js';
import type { OwnMethod } from '../../workflows/define-method.js';
import { allies as alliesMethod } from '../../workflows/methods/allies/allies.js';
import { base as baseMethod } from '../../workflows/methods/base.js';

const { sure: sureMethod } = methods;

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
  ['base', baseMethod, { passages: 0 }],
  ['allies', alliesMethod, { evidence: 'generated' }],
] as [string, OwnMethod<unknown>, object][])(
  'takes no way to search for %s, or the usual corpus, if it searches nothing',
  (_, method, options) => {
    const asked = (retrieval: object) => () =>
      parseInput<unknown>(method, { question: 'q', options, retrieval });
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

it.each([
  ['nq', 'nq'],
  [[], '0 questions'],
  [[{}], '1 question'],
  [[{}, {}], '2 questions'],
])('calls the data set %j "%s"', (dataset, label) => {
  expect(datasetLabel(dataset)).toBe(label);
});
