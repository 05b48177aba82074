/** The plans of all methods, without a server: their calls are those of the formulas. */
import { describe, expect, it } from 'vitest';
import { longestOutput, tokensOfCall } from '../../activities/runtime/plan-tokens.js';
import { createPromptLibrary } from '../../activities/runtime/prompts.js';
import { givenOf, longestOf, QuestionGroups } from '../../methods/given.js';
import type { Given, PlannedCall } from '../../methods/planned-call.js';
import { type MethodName, methods } from '../../methods/registry.js';
import { optionSets } from '../support/option-sets.js';

const found = Array.from({ length: 200 }, () => ({ title: 10, text: 600 }));
const unjudged = { claims: 0, claimed: 0, rubrics: [], gold: 0 };
const group = { questions: 1, question: 50, ...unjudged };
const given = givenOf({ ...group, passages: found, available: Infinity }, longestOutput);
const ports = {
  prompts: createPromptLibrary(),
  demonstrationSets: { pairs: async () => [{ question: 'Who?', document: 'x'.repeat(400) }] },
};
const more: [MethodName, object][] = [
  ['genread', { generation: 'clustered', demonstrationSet: 'set' }],
  ['rerankPassages', { by: 'crossEncoder' }],
  ['llatrieval', {}],
  // Documents are taken without asking at first, and summarized later.
  ['llatrieval', { iterations: 2, passages: 1, window: 2, supporting: 1 }],
  ['llatrieval', { iterations: 6, passages: 2, window: 6, supporting: 5 }],
];

interface Planning {
  options: { parse(options: object): object };
  calls(options: object): number;
  plan(options: object, given: Given): PlannedCall[];
}

function planOf(method: MethodName, changes: object, from: Given = given) {
  const { options, plan, calls } = methods[method] as unknown as Planning;
  const chosen = options.parse(changes);
  return { plan: plan(chosen, from), calls: calls(chosen) };
}

describe.each([...optionSets, ...more])('the plan of %s %j', (method, options) => {
  it('has as many calls as the formula says', () => {
    const { plan, calls } = planOf(method, options);
    expect(plan.filter(({ step }) => step !== 'retrieve')).toHaveLength(calls);
  });

  it('has prompts for all of them, of steps that the method says it has', async () => {
    const { plan } = planOf(method, options);
    for (const call of plan) {
      const { prompt, completion, embedded } = await tokensOfCall(call, 'default', ports);
      expect(prompt + embedded).toBeGreaterThan(0);
      const steps: readonly string[] = methods[method].steps;
      if (prompt > 0) expect(steps).toContain(call.step);
      expect(completion > 0).toBe(prompt > 0);
    }
  });

  it('takes less where questions bring few passages', async () => {
    const few = givenOf({ ...group, passages: found.slice(0, 2), available: 2 }, longestOutput);
    expect(planOf(method, options, few).plan.length).toBeLessThanOrEqual(
      planOf(method, options).plan.length,
    );
  });
});

it('reaches every step of every method with some options', () => {
  for (const [method, { steps }] of Object.entries(methods)) {
    const sets = [...optionSets, ...more].filter(([name]) => name === method);
    const planned = new Set(
      sets.flatMap(([name, options]) => planOf(name, options).plan.map(({ step }) => step)),
    );
    // What is asked only where a search finds nothing shows less than what is planned.
    const asked = steps.filter((step) => method !== 'summarizeThenPredict' || step !== 'read');
    expect([...planned]).toEqual(expect.arrayContaining(asked));
  }
});

describe('questions of a data set', () => {
  it('are put together by how many passages they bring', () => {
    const groups = new QuestionGroups();
    const lengths = (...texts: number[]) => texts.map((text) => ({ title: 4, text }));
    groups.add('q'.repeat(10), lengths(100, 300));
    groups.add('q'.repeat(30), lengths(500, 200));
    groups.add('q'.repeat(7), [], { claims: ['one', 'three'] });
    expect(groups.searching).toBe(1);
    const search = { title: 9, text: 900 };
    expect(groups.all([search])).toEqual([
      {
        ...{
          questions: 2,
          question: 20,
          available: 2,
          claims: 0,
          claimed: 0,
          rubrics: [],
          gold: 0,
        },
        passages: [
          { title: 4, text: 400 },
          { title: 4, text: 150 },
        ],
      },
      {
        ...{
          questions: 1,
          question: 7,
          available: Infinity,
          claims: 2,
          claimed: 8,
          rubrics: [],
          gold: 0,
        },
        passages: [search],
      },
    ]);
  });

  it('find passages as long as the longest of several searches, place by place', () => {
    const texts = (...lengths: number[]) => lengths.map((text) => ({ title: 0, text }));
    expect(longestOf([texts(1, 9, 5), texts(7, 8)])).toEqual(texts(9, 7, 1));
    expect(longestOf([texts(3), texts(8, 6)])).toEqual(texts(8, 6));
    expect(longestOf([])).toEqual([]);
  });
});
