/** A value that does not fit is refused in our own words: which field, what may stand there, what stood. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkAgainst } from '../../core/options/checked.js';
import { commonInput, parseInput } from '../../core/options/input.js';
import { describeProblems } from '../../core/options/problems.js';
import { type MethodName, methods, parseRunInput } from '../../interpreters/methods.js';
import { parseClusterInput } from '../../workflows/cluster-job.js';

/** The words of zod. */
const THEIRS = /Invalid|expected|received|Too (big|small)|[<>]=|NaN/;

const WRONG: unknown[] = [null, 'abc', -7, {}, [1]];

function problemOf(parse: () => unknown): string {
  try {
    parse();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

function refusalOf(method: MethodName, input: object): string {
  const { options, steps } = methods[method];
  return problemOf(() => parseInput<unknown>({ options, steps }, { question: 'q', ...input }));
}

describe('a wrong value', () => {
  it.each<[MethodName, field: string, value: unknown, fits: string, meant?: string]>([
    ['sure', 'options.passages', 'abc', 'a whole number from 1 to 200'],
    ['sure', 'options.passages', Number.POSITIVE_INFINITY, 'a whole number from 1 to 200'],
    [
      'sure',
      'options.selection',
      'rankng',
      'one of validityAndRanking, ranking, validity',
      'ranking',
    ],
    ['sure', 'options.demonstrations', 3, 'a list of at most 50'],
    [
      'sure',
      'options',
      5,
      'an object with passages, candidates, demonstrations, selection, answerForm',
    ],
    ['replug', 'options.temperature', 0, 'a number above 0, at most 1000'],
    [
      'base',
      'models.read',
      3,
      'text that is not empty, or an object with model, temperature, topP, reasoningEffort, maxTokens, extraBody',
    ],
    ['base', 'models', 'gpt', 'an object of names and values'],
    ['base', 'cache', 'no', 'true or false'],
    ['base', 'tier', 'felx', 'one of standard, flex, or an object of names and values', 'flex'],
    ['base', 'seed', -1, 'a whole number, at least 0'],
  ])('of %s %s: %j', (method, field, value, fits, meant) => {
    const [first = '', second] = field.split('.');
    const input = { [first]: second ? { [second]: value } : value };
    const stood = typeof value === 'string' ? `"${value}"` : value;
    const end = meant ? `; did you mean ${meant}?` : '';
    expect(refusalOf(method, input)).toContain(`${field}: must be ${fits}, not ${stood}${end}`);
  });

  it('of one field is told beside one that is missing', () => {
    expect(refusalOf('sure', { options: { demonstrations: [{ question: 1 }] } })).toContain(
      'options.demonstrations.0.question: must be text that is not empty, not 1; ' +
        'options.demonstrations.0.answer: is missing; it must be text that is not empty',
    );
    expect(refusalOf('base', { question: undefined })).toContain(
      'question: is missing; it must be text that is not empty',
    );
  });

  it.each<[MethodName, object, string]>([
    ['base', { passages: 0, answerForm: 'prose' }, 'options.answerForm: cites passages'],
    ['rankGpt', { stride: 20 }, 'options.stride: must be less than window'],
    ['ircot', { passages: 5, maxPassages: 4 }, 'options.maxPassages: must be at least passages'],
    ['llatrieval', { window: 5 }, 'options.window: must be larger than supporting'],
    ['genread', { documents: 2 }, 'options.documents: zeroShot writes one'],
    [
      'genread',
      { generation: 'humanPrompts', documents: 11 },
      'options.documents: there are 10 human prompts',
    ],
    [
      'genread',
      { generation: 'humanPrompts', task: 'factChecking' },
      'options.generation: the human prompts are for questions',
    ],
    ['genread', { generation: 'clustered' }, 'options.demonstrationSet: clustered'],
    ['genread', { demonstrationSet: 'webq' }, 'demonstrationSet: is used by clustered'],
  ])('beside others of %s %j', (method, options, said) => {
    expect(refusalOf(method, { options })).toContain(said);
  });

  it.each<[object, string]>([
    [{ pauseAfter: 0 }, 'pauseAfter: must be a whole number from 1 to 1000, or null, not 0'],
    [{ budgetUsd: 0 }, 'budgetUsd: must be a number of US dollars above 0, not 0'],
    [
      { dataset: undefined },
      'dataset: is missing; it must be the name of a data set, its hash, or a list of questions',
    ],
    [{ transport: { waitSeconds: 'x' } }, 'transport.waitSeconds: must be a number'],
  ])('of a batch: %j', (input, said) => {
    const spec = { run: 'r', method: 'sure', dataset: '/d.jsonl', ...input };
    expect(problemOf(() => parseRunInput(spec))).toContain(said);
  });

  it.each([
    [{ clusters: 'many' }, 'clusters: must be a whole number from 1 to 100, not "many"'],
    [{ name: 'a/b' }, 'name: must be letters, digits'],
    [{ run: undefined }, 'run: is missing'],
  ])('of a cluster job: %j', (change, said) => {
    const job = { name: 'n', run: 'r', ...change };
    expect(problemOf(() => parseClusterInput(job))).toContain(said);
  });

  it('that is long is shown by its beginning', () => {
    expect(refusalOf('base', { cache: 'x'.repeat(500) })).toMatch(/not "x{59}\.\.\.$/);
  });

  it('that is no input at all', () => {
    for (const input of [undefined, null, 3, 'x', []]) {
      expect(problemOf(() => parseRunInput(input))).toMatch(/^Bad input\. input: /);
      expect(problemOf(() => parseRunInput(input))).not.toMatch(THEIRS);
    }
  });
});

describe('whatever stands in a field', () => {
  const refuse = (method: MethodName, input: object) =>
    expect(refusalOf(method, input), JSON.stringify(input)).not.toMatch(THEIRS);

  it.each(Object.keys(methods) as MethodName[])(
    '%s says nothing in the words of its parser',
    (method) => {
      const fields = Object.keys((methods[method].options as unknown as z.ZodObject).shape ?? {});
      expect(fields.length).toBeGreaterThan(0);
      for (const value of WRONG) {
        for (const field of fields) refuse(method, { options: { [field]: value } });
      }
    },
  );

  it('no method says anything in the words of its parser of what all of them take', () => {
    const common = Object.keys(commonInput.shape).filter((name) => name !== 'question');
    for (const value of WRONG) {
      for (const field of common) refuse('base', { [field]: value });
      refuse('base', { retrieval: { passages: value } });
      refuse('base', { limits: { attempts: value } });
      refuse('base', { tier: { default: value } });
    }
  });
});

describe('checkAgainst', () => {
  it('names what may stand inside lists, records and choices', () => {
    const schema = z.strictObject({
      pairs: z.array(z.tuple([z.string(), z.number()])).optional(),
      sizes: z.array(z.int().min(2)).min(1).max(3).optional(),
      either: z.union([z.literal('none'), z.number().max(5)]).optional(),
      by: z.record(z.string(), z.boolean()).optional(),
    });
    const said = (value: object) => {
      const { problems } = checkAgainst(schema, value);
      return problems && describeProblems(problems);
    };
    expect(said({ sizes: [] })).toBe('sizes: must be a list of 1 to 3, not an empty list');
    expect(said({ sizes: [4, 1] })).toBe('sizes.1: must be a whole number, at least 2, not 1');
    expect(said({ either: 'some' })).toBe(
      'either: must be none, or a number, at most 5, not "some"',
    );
    expect(said({ by: { a: 1 } })).toBe('by.a: must be true or false, not 1');
    expect(said({ sizes: [2], by: {} })).toBeUndefined();
  });

  it('leaves the words of a schema where it has its own', () => {
    const schema = z.string().min(1, 'is empty; say something');
    expect(checkAgainst(schema, '', ['a']).problems).toEqual([
      { path: ['a'], message: 'is empty; say something' },
    ]);
  });
});
