/** The file of a tune, and what is tried by it. */
import { expect, test } from 'vitest';
import { NAME_PATTERN } from '../../../core/name.js';
import { candidatesOf, jointCandidates, type TuneStart } from '../../../core/tune/candidates.js';
import { goalOf, parseTune, type TuneInput } from '../../../core/tune/tune.js';

const START: TuneStart = {
  method: 'sure',
  options: { candidates: 2, passages: 10 },
  defaults: { candidates: 2, passages: 10 },
  models: { default: 'large', validate: 'small' },
  outputs: { summarize: 'schema' },
  prompts: { default: 'default', rankPair: 'short' },
  steps: ['summarize', 'validate', 'rankPair'],
};

/** "short" has a prompt for two of the steps. */
const hasOtherPrompt = (set: string, step: string) => set === 'short' && step !== 'validate';

const tune = (given: Partial<TuneInput>): TuneInput => {
  return { name: 't', start: 'run', goal: 'better', try: { models: ['small'] }, ...given };
};
const tried = (given: TuneInput['try'], start = START) =>
  candidatesOf(parseTune(tune({ try: given })).try, start, hasOtherPrompt).map(
    ({ label }) => label,
  );

test.each<[string, TuneInput['try'], string[]]>([
  [
    'a model at every step that has another',
    { models: ['small'] },
    ['summarize: small', 'rankPair: small'],
  ],
  [
    'models by step',
    { models: { rankPair: ['nano', { model: 'large', temperature: 0.5 }] } },
    ['rankPair: nano', 'rankPair: large, temperature 0.5'],
  ],
  [
    'values of options',
    { options: { candidates: [1, 2, 3], passages: [5] } },
    ['candidates 1', 'candidates 3', 'passages 5'],
  ],
  [
    'a prompt set at the steps that it changes',
    { prompts: ['short'] },
    ['summarize: prompts short'],
  ],
  [
    'a prompt set that a step is said to have',
    { prompts: { validate: ['short'] } },
    ['validate: prompts short'],
  ],
  ['forms', { outputs: ['schema'] }, ['validate: schema output', 'rankPair: schema output']],
  [
    'methods',
    { methods: ['base', { sure: { candidates: 2 } }, { ircot: {}, as: 'chain' }] },
    ['base', 'chain'],
  ],
])('tries %s', (_, given, labels) => {
  expect(tried(given)).toEqual(labels);
});

test('a method without options has its own, not those of the start', () => {
  const start = { ...START, options: { candidates: 2, passages: 20 } };
  const methods = ['sure', { sure: { passages: 20 } }, { sure: { candidates: 3 }, as: 'three' }];
  expect(tried({ methods }, start)).toEqual(['sure', 'three']);
});

test('candidates have names that can stand in those of runs', () => {
  const models = { rankPair: ['org/model:tag', { model: 'org/model:tag', topP: 0.5 }] };
  const { try: given } = parseTune(tune({ try: { models, options: { passages: [1, [1, 2]] } } }));
  const ids = candidatesOf(given, START, hasOtherPrompt).map(({ id }) => id);
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id).toMatch(NAME_PATTERN);
});

test('a margin is a share of the score', () => {
  expect(goalOf(parseTune(tune({ goal: 'cheaper', margin: 5 })))).toEqual({
    goal: 'cheaper',
    margin: 0.05,
  });
});

test('joins what changes something else, best first', () => {
  const given = {
    models: { rankPair: ['nano', 'tiny'], summarize: ['nano'] },
    outputs: ['schema' as const],
  };
  const all = candidatesOf(parseTune(tune({ try: given })).try, START, hasOtherPrompt);
  expect(jointCandidates(all).map(({ label }) => label)).toEqual([
    'rankPair: nano + summarize: nano',
    'rankPair: nano + summarize: nano + validate: schema output',
    'rankPair: nano + summarize: nano + validate: schema output + rankPair: schema output',
  ]);
  expect(jointCandidates(all.slice(0, 1))).toEqual([]);
});
