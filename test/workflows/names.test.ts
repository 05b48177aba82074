/** Names that nobody knows, and options that change nothing, are refused by name. */
import { describe, expect, it } from 'vitest';
import { parseInput } from '../../core/options/input.js';
import { suggestion } from '../../core/options/nearest.js';
import { type MethodName, methods, parseRunInput } from '../../interpreters/methods.js';
import { STEP_NAMES } from '../../steps/table.js';

const names = Object.keys(methods) as MethodName[];

function parse(method: MethodName, input: object) {
  const { name, options, steps } = methods[method];
  return parseInput<unknown>({ name, options, steps }, { question: 'q', ...input });
}

describe('a name that was meant', () => {
  it.each([
    ['validation', ['default', 'summarize', 'validate', 'rankPair'], '; did you mean validate?'],
    ['rankpairs', ['default', 'validate', 'rankPair'], '; did you mean rankPair?'],
    ['candidate', ['passages', 'candidates'], '; did you mean candidates?'],
    ['pasages', ['passages', 'candidates'], '; did you mean passages?'],
    ['beam', ['passages', 'window'], '; there are passages, window'],
    ['nq', ['hotpotqa', 'nq-open'], '; did you mean nq-open?'],
    ['x', [], ''],
  ])('%s of %j', (name, known, end) => {
    expect(suggestion(name, known)).toBe(end);
  });

  it('is one of many that are not all told', () => {
    const ids = Array.from({ length: 53 }, (_, i) => `q${100 + i}`);
    expect(suggestion('x', ids)).toMatch(/^; there are q100, .*, q149, and 3 more$/);
    expect(suggestion('q1522', ids)).toBe('; did you mean q152?');
  });
});

describe('models', () => {
  it.each<[MethodName, step: string, why: string]>([
    ['sure', 'validation', 'is not a step of sure; did you mean validate?'],
    ['sure', 'takeNotes', 'is not a step of sure; there are '],
    ['base', 'judgeClaim', 'uses the model that "judge" sets'],
    ['base', 'embedTexts', 'is not a step of base; there are default, answerWithCitations, read'],
  ])('of %s refuse %s', (method, step, why) => {
    const models = { [step]: 'small' };
    const message = `models.${step}: ${why}`;
    expect(() => parse(method, { models })).toThrow(message);
    const spec = { run: 'r', method, dataset: '/d.jsonl', models };
    expect(() => parseRunInput(spec)).toThrow(message);
  });

  it.each(names)('of %s takes its steps', (method) => {
    const models = Object.fromEntries(
      ['default', ...methods[method].steps].map((step) => [step, 'm']),
    );
    expect(parse(method, { models }).models).toEqual(models);
  });

  it('can name every step of some method, but those of judges and tunes', () => {
    const used = new Set(names.flatMap((method) => methods[method].steps as string[]));
    expect([...STEP_NAMES].filter((step) => !used.has(step))).toEqual([
      'judgeClaim',
      'proposePrompt',
    ]);
  });
});

describe('every object of the input', () => {
  const demonstration = { question: 'q', answer: 'a' };
  const titl = { ...demonstration, passages: [{ text: 'x', titl: 't' }] };
  it.each<[object, field: string, meant: string]>([
    [{ retreival: {} }, 'retreival', 'retrieval'],
    [{ retrieval: { corpora: 'x' } }, 'retrieval.corpora', 'corpus'],
    [{ limits: { reask: 1 } }, 'limits.reask', 'reasks'],
    [{ labels: { runs: 'r' } }, 'labels.runs', 'run'],
    [
      { retrieval: { passages: [{ titel: 't', text: 'x' }] } },
      'retrieval.passages.0.titel',
      'title',
    ],
    [{ options: { demonstrations: [titl] } }, 'options.demonstrations.0.passages.0.titl', 'title'],
  ])('%j', (input, field, meant) => {
    const message = `${field}: there is no such field; did you mean ${meant}?`;
    expect(() => parse('llatrieval', input)).toThrow(message);
  });

  it.each<[object, string]>([
    [{ judges: 'm' }, 'judges: .* did you mean judge\\?'],
    [{ noise: { ratio: 0.2, kinds: 'top' } }, 'noise.kinds: .* did you mean kind\\?'],
    [{ method: 'noRetrieval', noise: { ratio: 0.2 } }, 'noise: has no effect: noRetrieval reads'],
    [{ method: 'noRetrieval', mode: 'dense' }, 'mode: has no effect'],
    [
      {
        method: 'allies',
        options: { evidence: 'generated' },
        noise: { ratio: 0.5, count: 2 },
        mode: 'dense',
      },
      'mode: has no effect: .* searches nothing; noise: has no effect: .* searches nothing',
    ],
  ])('of a batch: %j', (input, message) => {
    const spec = { run: 'r', method: 'sure', dataset: '/d.jsonl', ...input };
    expect(() => parseRunInput(spec)).toThrow(new RegExp(message));
  });
});

describe('an option that another one leaves without effect', () => {
  it.each<[MethodName, object, field: string]>([
    ['chainOfNote', { form: 'per-passage', examples: true }, 'examples'],
    [
      'base',
      { answerForm: 'prose', demonstrations: [{ question: 'q', answer: 'a' }] },
      'demonstrations',
    ],
    ['genread', { task: 'dialogue', readerPrompt: 2 }, 'readerPrompt'],
    ['lamer', { queryStyle: 'question', context: 3 }, 'context'],
    ['lamer', { queryStyle: 'question', temperature: 1 }, 'temperature'],
    ['lamer', { queries: 1, temperature: 1 }, 'temperature'],
    ['rerankPassages', { answerCandidates: 3 }, 'answerCandidates'],
    ['allies', { evidence: 'generated', passages: 5 }, 'passages'],
    ['llatrieval', { threshold: 5 }, 'threshold'],
    ['llatrieval', { iterations: 1, queryStyle: 'question' }, 'queryStyle'],
    ['llatrieval', { iterations: 1, passages: 5, summaries: false }, 'summaries'],
    ['llatrieval', { iterations: 1, passages: 3, window: 10 }, 'window'],
    ['rankGpt', { candidates: 20, stride: 5 }, 'stride'],
  ])('%s %j', (method, options, field) => {
    expect(() => parse(method, { options })).toThrow(`options.${field}: has no effect: `);
  });

  it.each<[MethodName, object]>([
    ['chainOfNote', { form: 'single', examples: true }],
    ['genread', { task: 'openQA', readerPrompt: 2 }],
    ['lamer', { queryStyle: 'question', context: 10 }],
    ['rerankPassages', { compare: ['sureSummary'], answerCandidates: 3 }],
    ['allies', { evidence: 'generated', beamSize: 3, depth: 1 }],
    ['llatrieval', { verification: 'score', threshold: 5 }],
    ['llatrieval', { iterations: 2, passages: 5, summaries: false }],
    ['rankGpt', { candidates: 21, stride: 5 }],
    ['rankGpt', { candidates: 8, window: 8 }],
  ])('but not %s %j', (method, options) => {
    expect(() => parse(method, { options })).not.toThrow();
  });
});
