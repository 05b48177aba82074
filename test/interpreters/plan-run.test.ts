/** What a run would take, by its data set: which questions search, and what they would find. */
import { describe, expect, it } from 'vitest';
import type { Ports } from '../../activities/runtime/ports.js';
import { createPromptLibrary } from '../../activities/runtime/prompts.js';
import {
  type DryRun,
  describeDryRun,
  dryRunLine,
  estimatesOf,
} from '../../cli/run/describe-dry-run.js';
import { estimateRun, type PriceOf } from '../../core/estimate.js';
import { Failure } from '../../core/failure.js';
import { defineMetric, type OwnMetric } from '../../core/metric.js';
import { metricRegistry } from '../../evaluation/metrics/registry.js';
import { planRun } from '../../interpreters/plan-run.js';
import { stepsOf } from '../../steps/rubric.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { methods, parseRunInput } from '../../workflows/methods.js';
import { givenQuestions } from '../support/given.js';
import { testPorts } from '../support/ports.js';

/** Every search finds passages of this many characters. */
function corpora(length: number, searches: [string, number][] = []) {
  return {
    async open(name: string) {
      if (name !== 'sample') throw new Failure('UnknownCorpus', `There is no corpus ${name}.`);
      return {
        async search(query: string, k: number) {
          searches.push([query, k]);
          return Array.from({ length: k }, (_, i) => ({ id: `${i}`, title: '', score: 1 }));
        },
        get: async (ids: readonly string[]) =>
          ids.map((id) => ({ id, title: '', text: 'x'.repeat(length) })),
      };
    },
  };
}

async function plan(
  lines: object[],
  input: object,
  found: Ports['corpora'] = corpora(4000),
  metrics: OwnMetric[] = [],
  more: Partial<Ports> = {},
) {
  const { steps, prompts } = stepsOf({ metrics });
  const usual = { run: 'r', method: 'base', dataset: 'd', corpus: 'sample' };
  const spec = parseRunInput({ ...usual, ...input });
  const ports = testPorts(scriptedModel([]), {
    corpora: found,
    describeCorpus: async (name) => ({ name }),
    prompts: createPromptLibrary(undefined, prompts),
    ...{ metrics: metricRegistry(metrics), steps },
    defaultModel: 'usual',
    ...more,
  });
  const run = await planRun(spec, { read: givenQuestions(lines) }, ports);
  return { spec, run };
}

type Planned = Awaited<ReturnType<typeof plan>>;
const noPrice: PriceOf = () => undefined;

const dryRunOf = ({ run }: Planned, price = noPrice): DryRun => ({
  ...{ method: methods.base, selected: run.questions, rule: 'all questions', plan: run },
  ...{ before: undefined, metrics: [], ...estimatesOf(run, price) },
});

/** What is told of a plan. */
const told = (planned: Planned, price = noPrice, more: Partial<DryRun> = {}) =>
  describeDryRun(planned.spec, { ...dryRunOf(planned, price), ...more }).join('\n');

const question = (i: number, more: object = {}) => ({
  ...{ id: `${i}`, question: `Who is number ${i}?`, answers: ['A'] },
  ...more,
});
const own = [{ title: '', text: 'x'.repeat(400) }];
/** With a passage that has the answer. */
const telling = (i: number) =>
  question(i, { answers: ['Bell'], passages: [{ title: '', text: `Bell ${'x'.repeat(400)}` }] });

const grounded = defineMetric({
  from: 'rubric',
  ...{ name: 'grounded', title: 'Grounded', scale: 'yesNo', maxTokens: 8 },
  applies: ({ answers }) => answers.length > 1,
  prompt: { name: 'grounded', text: '{{passages}}\n{{goldAnswers}}\nIs it so? {{answer}}' },
});

describe('planRun', () => {
  it('counts what a question brings', async () => {
    const { run } = await plan([question(1, { passages: own })], {});
    expect(run).toMatchObject({ searching: 0, searched: 0 });
    // 100 of the passage, and the prompt.
    expect(run.steps).toMatchObject([{ step: 'read', model: 'usual', calls: 1, completion: 64 }]);
    expect(run.steps[0]?.prompt).toBeGreaterThan(100);
    expect(run.steps[0]?.prompt).toBeLessThan(500);
  });

  it('counts what is searched for where a question brings an empty list', async () => {
    const { run } = await plan([question(1, { passages: [] }), question(2)], {});
    expect(run).toMatchObject({ searching: 2, searched: 2 });
    expect(run.steps[0]?.prompt).toBeGreaterThan(2 * 10 * 1000);
  });

  it('searches with few questions, as deep as the method reads', async () => {
    const searches: [string, number][] = [];
    const lines = Array.from({ length: 50 }, (_, i) => question(i));
    const input = { method: 'rankGpt', options: { candidates: 30 } };
    const { run } = await plan(lines, input, corpora(100, searches));
    expect(run).toMatchObject({ searching: 50, searched: 20 });
    expect(new Set(searches.map(([, k]) => k))).toEqual(new Set([30]));
  });

  it('refuses a corpus that is not there, as the run would', async () => {
    const nowhere = { corpus: 'nowhere' };
    await expect(plan([question(1)], nowhere)).rejects.toThrow('There is no corpus nowhere.');
    await expect(plan([question(1)], { corpus: undefined })).rejects.toThrow(
      'corpus: is missing, and the question "1" has to search one',
    );
  });

  it('refuses a demonstration set that is not there, as the run would', async () => {
    const options = { generation: 'clustered', demonstrationSet: 'nowhere' };
    await expect(plan([question(1)], { method: 'genread', options })).rejects.toThrow('nowhere');
  });

  it.each(['top', 'random'] as const)(
    'says of a search that %s noise leaves out that it has no effect',
    async (kind) => {
      const noise = { ratio: 0.2, kind, count: 5, depth: 10 };
      const search = { corpus: 'nowhere', mode: 'hybrid' as const };
      const planned = await plan([telling(1)], { ...search, noise });
      const { idle } = planned.run;
      expect(idle).toBe('without effect, as no question searches: corpus nowhere, mode hybrid');
      expect(told(planned)).toContain(`\nSearch     ${idle}\n`);
    },
  );

  it('leaves a search to random noise, which comes from questions outside of the subset', async () => {
    const noise = { ratio: 0.2, kind: 'random' as const, count: 5, depth: 10 };
    const { run } = await plan([telling(1), question(2)], { limit: 1, noise });
    expect(run).toMatchObject({ bringing: 1, searching: 0, idle: undefined });
  });

  it.each([
    ['genread', {}],
    ['noRetrieval', {}],
    ['base', { passages: 0 }],
  ])('needs no corpus for %s, which with options %j searches nothing', async (method, options) => {
    const nowhere = {
      open: () => Promise.reject(new Failure('UnknownCorpus', 'There is no corpus.')),
    };
    const { run } = await plan(
      [question(1), question(2, { passages: own })],
      { method, options },
      nowhere,
    );
    expect(run).toMatchObject({ bringing: 0, searching: 0, searched: 0 });
    expect(run.steps.length).toBeGreaterThan(0);
  });

  it('counts texts of other scripts by what tokenizers make of them', async () => {
    const han = '电话是亚历山大贝尔发明的'.repeat(100);
    const inHan = [{ title: '电话', text: han }];
    const { run } = await plan([question(1, { passages: inHan })], {});
    // o200k makes 0.9 tokens of such a character, cl100k 1.1.
    expect(run.steps[0]?.prompt).toBeGreaterThan(1.2 * han.length);
    expect(run.steps[0]?.prompt).toBeLessThan(1.6 * han.length + 300);
    const asked = await plan([{ ...question(1), question: han, passages: own }], {});
    expect(asked.run.steps[0]?.prompt).toBeGreaterThan(1.2 * han.length);
    const searched = await plan(
      [question(1)],
      { options: { passages: 1 } },
      {
        open: async () => ({
          search: async () => [{ id: '1', title: '', score: 1 }],
          get: async () => [{ id: '1', title: '', text: han }],
        }),
      },
    );
    expect(searched.run.steps[0]?.prompt).toBeGreaterThan(1.2 * han.length);
  });

  it('counts as many passages as a search can find, though the questions find few', async () => {
    const few: Ports['corpora'] = {
      open: async () => ({
        search: async (query) =>
          Array.from({ length: query.startsWith('Who') ? 2 : 50 }, (_, i) => ({
            ...{ id: `${i}`, title: '', score: 1 },
          })),
        get: async (ids) => ids.map((id) => ({ id, title: '', text: 'x'.repeat(4000) })),
      }),
    };
    const input = { method: 'hyde', options: { passages: 5 } };
    const promptOf = async (passages?: number) => {
      const describeCorpus = async (name: string) => ({ name, passages });
      const { run } = await plan([question(1)], input, few, [], { describeCorpus });
      return run.steps.find(({ step }) => step === 'read')?.prompt ?? 0;
    };
    expect(await promptOf()).toBeGreaterThan(5 * 1000);
    expect(await promptOf(100)).toBeGreaterThan(5 * 1000);
    // No search finds more than there is.
    const three = await promptOf(3);
    expect(three).toBeGreaterThan(3 * 1000);
    expect(three).toBeLessThan(4 * 1000);
    // A method that searches with the question alone reads what that finds, by its words.
    const base = await plan([question(1)], { options: { passages: 5 } }, few);
    expect(base.run.steps[0]?.prompt).toBeLessThan(3 * 1000);
    const dense = await plan([question(1)], { options: { passages: 5 }, mode: 'dense' }, few);
    expect(dense.run.steps[1]?.prompt).toBeGreaterThan(5 * 1000);
  });

  it('counts the passages that noise chooses, of the questions that take part', async () => {
    const long = [{ title: '', text: 'x'.repeat(8000) }];
    const lines = [telling(1), question(2, { passages: long })];
    const noise = { ratio: 0.5, count: 2, kind: 'random' };
    const input = { noise, options: { passages: 2 } };
    const { run } = await plan(lines, input);
    expect(run.steps).toMatchObject([{ step: 'read', calls: 1 }]);
    expect(run.steps[0]?.prompt).toBeGreaterThan(2000 + 100);
    const top = await plan(lines, { ...input, noise: { ...noise, kind: 'top' } });
    expect(top.run.steps[0]?.prompt).toBeLessThan(2000);
  });

  it('counts embeddings where the corpus is searched by vectors', async () => {
    const { run } = await plan([question(1)], { mode: 'dense' });
    expect(run.steps).toMatchObject([
      { step: 'embedTexts', calls: 1, prompt: 0 },
      { step: 'read' },
    ]);
    expect(run.steps[0]?.embedded).toBeGreaterThan(0);
    const brought = await plan([question(1, { passages: own })], { mode: 'dense' });
    expect(brought.run.steps).toMatchObject([{ step: 'rankBySimilarity' }, { step: 'read' }]);
    expect(brought.run.steps[0]?.embedded).toBeGreaterThan(100);
  });

  it('counts each rubric once for the questions that it applies to, with what it shows', async () => {
    const lines = [
      question(1, { passages: own, answers: ['A', 'B'] }),
      question(2, { passages: own, answers: ['A', 'y'.repeat(4000)] }),
      question(3, { passages: own }),
    ];
    const input = { judge: 'big', metrics: ['grounded'] };
    const { run } = await plan(lines, input, undefined, [grounded]);
    expect(run.judging).toMatchObject([
      { step: 'grounded', model: 'big', calls: 2, completion: 16 },
    ]);
    // The passage, the answer of 64 tokens and the gold answers of each, and 1,000 more of one.
    const [{ prompt = 0 } = {}] = run.judging;
    expect(prompt).toBeGreaterThan(2 * (100 + 64) + 1000);
    expect(prompt).toBeLessThan(2 * (100 + 64) + 1000 + 200);
    const unnamed = await plan(lines, { judge: 'big', metrics: [] }, undefined, [grounded]);
    expect(unnamed.run.judging).toEqual([]);
  });

  it('says the model of each step, and what the judge is asked', async () => {
    const claims = ['A is so.', 'B is so.'];
    const { run } = await plan([question(1, { claims })], {
      ...{ method: 'sure', judge: 'big', models: { default: 'm', validate: 'small' } },
    });
    expect(run.steps.map(({ step, model, calls }) => [step, model, calls])).toEqual([
      ['generateCandidates', 'm', 1],
      ['summarize', 'm', 2],
      ['validate', 'small', 2],
      ['rankPair', 'm', 2],
    ]);
    expect(run.judging).toMatchObject([{ step: 'judgeClaim', model: 'big', calls: 2 }]);
  });
});

it('describes what is in the estimate and what is not', async () => {
  const planned = await plan([question(1, { passages: own }), question(2)], {
    judge: 'big',
    options: { answerForm: 'prose' },
  });
  const { run } = planned;
  const price = () => ({ prompt: 1, completion: 1 });
  const text = told(planned, price, {
    metrics: [
      { name: 'brief', title: 'Brief', headline: true, version: 'a' },
      { name: 'grounded', title: 'Grounded', headline: true, judged: true, version: 'b' },
    ],
    before: { run: 'old', questions: 9, calls: 1, promptTokens: 800, completionTokens: 20.4 },
  });
  expect(text).toMatch(/^Calls {6}2: 1$/m);
  expect(text).toMatch(
    /^To pay {5}2, and at most 152 that depend on them: answerWithCitations 2 \(\$0\.\d+\), judgeClaim 0 to 152 \(\$0\.\d+\)$/m,
  );
  expect(text).toMatch(
    /^Tokens {5}about [\d,]+ prompt, 768 completion: prompts with the passages that 1 question brings and passages as long as the longest that 1 question found in sample, for 1 question, and outputs as long as they can be, four characters of English a token$/m,
  );
  expect(text).toMatch(
    /^Judge {6}about 152 calls, [\d,]+ prompt, 2,432 completion, where a statement has 20 tokens or more and 3 citations$/m,
  );
  expect(text).toMatch(/^Metrics {4}Brief, Grounded \(by the judge\), beside the built-in ones$/m);
  expect(text).toMatch(
    /^Before {5}9 questions of old took 1\.0 calls each: the same here would be 2 calls, 1,600 prompt and 41 completion tokens$/m,
  );
  expect(text).toMatch(
    /^Cost {7}about \$0\.\d\d \(\$0\.\d+ of it for the calls that are certain\) with usual, big, before/m,
  );
  expect(text).toMatch(/^Not in it {2}an output that cannot be read is asked again/m);
  const flex = told(planned, price, {
    ...estimatesOf({ ...run, judging: [] }, price),
    ...{ together: { ...estimateRun(run.steps, price), knownUsd: 3 }, atTierUsd: 1.5 },
  });
  expect(flex).toMatch(
    /^Cost {7}about \$3\.00 where all is served at once, \$1\.50 at the tiers asked for, with usual/m,
  );
});

it('says in a line what a run takes', async () => {
  const lineOf = async (input: object, price?: PriceOf) =>
    dryRunLine(dryRunOf(await plan([question(1, { passages: own })], input), price));
  expect(await lineOf({}, () => ({ prompt: 1e6, completion: 1e6 }))).toMatch(
    /^1 call: 0 answered already, to pay for 1; at most \$[\d,]+\.\d\d$/,
  );
  expect(await lineOf({ method: 'sure' })).toBe(
    'at most 7 calls: 0 answered already, to pay for 1, and at most 6 that depend on them; no price for usual',
  );
});

it('names the models without a price, and what the others cost', async () => {
  const planned = await plan([question(1, { passages: own })], {
    judge: 'judge-1',
    options: { answerForm: 'prose' },
  });
  const million = { prompt: 1e6, completion: 1e6 };
  expect(told(planned, (model) => (model === 'usual' ? million : undefined))).toMatch(
    /^Cost {7}at most \$[\d,.]+ with usual, and more: no price for judge-1 \(see DURABLE_RAG_PRICES\)$/m,
  );
  expect(told(planned)).toMatch(
    /^Cost {7}unknown: no price for usual, judge-1 \(see DURABLE_RAG_PRICES\)$/m,
  );
});

it('plans a thousand questions of more, which stand for all', async () => {
  const lines = Array.from({ length: 2500 }, (_, i) => question(i, { passages: own }));
  const planned = await plan(lines, {});
  expect(planned.run).toMatchObject({ questions: 2500, planned: 1000, bringing: 2500 });
  expect(planned.run.steps).toMatchObject([{ step: 'read', calls: 2500, completion: 2500 * 64 }]);
  expect(told(planned)).toMatch(/^Planned {4}1,000 of them, drawn: they stand for all$/m);
  expect(told(planned)).toMatch(/^Calls {6}about 2,500: 1$/m);
});

it('says that a judge has nothing to judge', async () => {
  const toldOf = async (more: object) => told(await plan([question(1, { passages: own })], more));
  expect(await toldOf({ judge: 'big' })).toMatch(/^Judge {6}is asked nothing: no question has /m);
  expect(await toldOf({})).not.toContain('Judge');
});

it('says why it knows no tokens of a method that has no plan', async () => {
  const planned = await plan([question(1, { passages: own })], {});
  const { algorithm: _, ...method } = methods.base;
  const text = told(planned, noPrice, { method });
  expect(text).toMatch(/^Tokens {5}not known: base does not declare its algorithm/m);
  expect(text).toMatch(/^Cost {7}not known/m);
});

it('counts what is set for a step in place of its own limit', async () => {
  const lines = [{ question: 'Who?', answers: ['a'] }];
  const { run } = await plan(lines, { models: { read: { model: 'm', maxTokens: 7 } } });
  expect(run.steps).toMatchObject([{ step: 'read', model: 'm', calls: 1, completion: 7 }]);
});
