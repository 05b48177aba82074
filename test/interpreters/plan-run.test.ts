/** What a run would take, by its data set: which questions search, and what they would find. */
import { expect, it } from 'vitest';
import type { Ports } from '../../activities/runtime/ports.js';
import { Failure } from '../../core/failure.js';
import { defineMetric } from '../../core/metric.js';
import { corpora, own, plan, question } from '../support/plan.js';

/** With a passage that has the answer. */
const telling = (i: number) =>
  question(i, { answers: ['Bell'], passages: [{ title: '', text: `Bell ${'x'.repeat(400)}` }] });

const grounded = defineMetric({
  from: 'rubric',
  name: 'grounded',
  title: 'Grounded',
  scale: 'yesNo',
  maxTokens: 8,
  applies: ({ answers }) => answers.length > 1,
  prompt: { name: 'grounded', text: '{{passages}}\n{{goldAnswers}}\nIs it so? {{answer}}' },
});

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
    const { run } = await plan([telling(1)], { ...search, noise });
    expect(run.idle).toBe('without effect, as no question searches: corpus nowhere, mode hybrid');
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
});

it('counts as many passages as a search can find, though the questions find few', async () => {
  const few: Ports['corpora'] = {
    open: async () => ({
      search: async (query) =>
        Array.from({ length: query.startsWith('Who') ? 2 : 50 }, (_, i) => ({
          id: `${i}`,
          title: '',
          score: 1,
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
  expect(run.steps).toMatchObject([{ step: 'embedTexts', calls: 1, prompt: 0 }, { step: 'read' }]);
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
  expect(run.judging).toMatchObject([{ step: 'grounded', model: 'big', calls: 2, completion: 16 }]);
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
    method: 'sure',
    judge: 'big',
    models: { default: 'm', validate: 'small' },
  });
  expect(run.steps.map(({ step, model, calls }) => [step, model, calls])).toEqual([
    ['generateCandidates', 'm', 1],
    ['summarize', 'm', 2],
    ['validate', 'small', 2],
    ['rankPair', 'm', 2],
  ]);
  expect(run.judging).toMatchObject([{ step: 'judgeClaim', model: 'big', calls: 2 }]);
});

it('counts what is set for a step in place of its own limit', async () => {
  const lines = [{ question: 'Who?', answers: ['a'] }];
  const { run } = await plan(lines, { models: { read: { model: 'm', maxTokens: 7 } } });
  expect(run.steps).toMatchObject([{ step: 'read', model: 'm', calls: 1, completion: 7 }]);
});
