import { expect, it } from 'vitest';
import { z } from 'zod';
import { identifyRun } from '../../../activities/run/identify-run.js';
import { readQuestions } from '../../../activities/run/read-questions.js';
import type { Ports } from '../../../activities/runtime/ports.js';
import { createPromptLibrary } from '../../../activities/runtime/prompts.js';
import { manifestTells } from '../../../cli/run/run-status.js';
import { Failure } from '../../../core/failure.js';
import type { RunInput } from '../../../core/run/input.js';
import { defineDataset } from '../../../evaluation/dataset/define-dataset.js';
import { readGiven } from '../../../evaluation/dataset/read-dataset.js';
import { refOf, snapshots } from '../../../evaluation/dataset/snapshots.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import { bell, result, setUp } from './support.js';

const own = [
  { title: 'Telephone', text: 'Bell got the patent.' },
  { title: 'Rhine', text: 'A river.' },
];
const lines = [
  { ...bell, passages: own },
  { id: 'nq/2', question: 'Who filed a caveat?', answers: ['Gray'] },
  { id: 'nq/3', question: 'Is it so?', answers: ['yes'], passages: own.slice(0, 1) },
];

it('writes down the questions and all it takes to repeat the run', async () => {
  const { open, questions, ports } = await setUp(lines, { method: 'sure', seed: 7 });
  const { spec, questions: count } = await open();
  expect(count).toBe(3);
  expect(spec).toMatchObject({ seed: 7, models: { default: 'scripted-1' }, concurrency: 20 });
  expect(spec.options).toMatchObject({ candidates: 2, passages: 10 });

  const [first, second, third] = await questions();
  expect(first).toEqual({
    ...{ ...bell, answerKind: 'span' },
    stored: [
      { id: expect.stringMatching(/^p-/), title: 'Telephone', score: 1 },
      { id: expect.stringMatching(/^p-/), title: 'Rhine', score: 0.5 },
    ],
  });
  expect(second).toEqual({ ...lines[1], answerKind: 'span' });
  // The same passage is stored once, whichever question brings it.
  expect(third?.stored?.[0]?.id).toBe(first?.stored?.[0]?.id);
  const ids = (first?.stored ?? []).map(({ id }) => id);
  expect((await ports.passages.get(ids)).map(({ text }) => text)).toEqual([
    'Bell got the patent.',
    'A river.',
  ]);

  const manifest = await ports.runs.manifest('r');
  const library = createPromptLibrary();
  expect(manifest).toMatchObject({
    ...{ run: 'r', questions: 3, input: spec, provider: 'scripted' },
    dataset: {
      ...{ file: 'input', questions: 3, selected: 3, rule: 'all questions' },
      ...{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), kinds: { span: 2, boolean: 1 } },
    },
    corpus: { name: 'sample', passages: 12 },
    models: { default: 'scripted-1' },
    versions: { durableRag: expect.stringMatching(/^\d+\.\d+\.\d+/), node: process.version },
    normaliser: expect.stringContaining('SQuAD'),
  });
  expect(Date.parse(manifest?.createdAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
  const { hash } = await library.load('default', 'summarize');
  expect(manifest?.prompts['summarize.txt']).toBe(hash);
});

it('needs no corpus where every question brings passages, and only then', async () => {
  const described: string[] = [];
  const parts = {
    describeCorpus: async (name: string) => {
      described.push(name);
      return { name };
    },
  };
  const bringing = lines.filter((line) => 'passages' in line);
  const { open, ports } = await setUp(bringing, {}, parts);
  await open();
  expect((await ports.runs.manifest('r'))?.corpus).toBeNull();
  expect(described).toEqual([]);

  const searching = await setUp(bringing, { ownPassages: false }, parts);
  await searching.open();
  expect((await searching.questions()).map(({ stored }) => stored)).toEqual([undefined, undefined]);
  expect(described).toEqual(['sample']);

  const missing = await setUp(lines, { corpus: 'nowhere' });
  await expect(missing.open()).rejects.toMatchObject({ type: 'UnknownCorpus' });
  expect(await missing.ports.runs.list()).toEqual([]);
});

it('takes a corpus that no question searches, whether it is there or not', async () => {
  const bringing = lines.filter((line) => 'passages' in line);
  const { open, ports } = await setUp(bringing, { corpus: 'nowhere' });
  await open();
  const manifest = await ports.runs.manifest('r');
  expect(manifest).toMatchObject({ input: { corpus: 'nowhere' }, corpus: null });
  expect(manifestTells(manifest).idleSearch).toBe(
    'without effect, as no question searches: corpus nowhere',
  );
  const memory = await setUp(lines, { corpus: 'nowhere', options: { passages: 0 } });
  expect((await memory.open()).questions).toBe(3);
  const searched = await setUp(lines);
  await searched.open();
  expect(manifestTells(await searched.ports.runs.manifest('r'))).toEqual({});
});

it('asks for a corpus where a question brings no passages, and takes none of itself', async () => {
  const missing = (id: string) =>
    new RegExp(`corpus: is missing, and the question "${id}" has to search one.*--corpus`);
  const unnamed = { corpus: undefined };
  const { open, ports } = await setUp(lines, unnamed);
  await expect(open()).rejects.toThrow(missing('nq/2'));
  await expect(open()).rejects.toMatchObject({ type: 'BadInput' });
  expect(await ports.runs.list()).toEqual([]);
  const noisy = await setUp(lines.slice(1, 2), { ...unnamed, noise: { ratio: 0.2 } });
  await expect(noisy.open()).rejects.toThrow(missing('nq/2'));
  const passing = await setUp(lines.slice(0, 1), { ...unnamed, ownPassages: false });
  await expect(passing.open()).rejects.toThrow(missing('nq/1'));

  const bringing = await setUp(lines.slice(0, 1), unnamed);
  expect((await bringing.open()).questions).toBe(1);
  const memory = await setUp(lines, { ...unnamed, method: 'noRetrieval' });
  expect((await memory.open()).questions).toBe(3);
});

it('takes the part of the data set that is asked for', async () => {
  const many = Array.from({ length: 50 }, (_, i) => ({ ...bell, id: `q${i}` }));
  const { open, questions, ports } = await setUp(many, {
    ...{ limit: 20, sample: 5, sampleSeed: 3 },
  });
  expect((await open()).questions).toBe(5);
  const ids = (await questions()).map(({ id }) => Number(id.slice(1)));
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  expect(Math.max(...ids)).toBeLessThan(20);
  expect((await ports.runs.manifest('r'))?.dataset).toMatchObject({
    ...{ questions: 50, selected: 5, rule: expect.stringContaining('"3|" + id') },
  });
});

it('takes a data set of the store by its name, and writes down what it held', async () => {
  const { open, ports, input } = await setUp(lines);
  const put = (questions: readonly object[]) =>
    ports.datasets.put(() => readGiven(questions, { scorable: false }), 'nq.jsonl');
  const first = await put(lines);
  await ports.datasets.name('nq', first.sha256);
  await expect(open({ dataset: 'nd' })).rejects.toMatchObject({
    type: 'UnknownText',
    message: expect.stringContaining('no data set with the name "nd"'),
  });
  const { spec } = await open({ dataset: 'nq' });
  expect(spec.dataset).toBe(refOf(first));
  expect((await ports.runs.manifest('r'))?.dataset).toMatchObject({ ...first, selected: 3 });
  // The same questions are the same data set, however they come.
  await expect(open({ dataset: input.dataset })).resolves.toMatchObject({ questions: 3 });

  const unscored = await put([bell, { id: 'open', question: 'Who?' }]);
  await ports.datasets.name('nq', unscored.sha256);
  await expect(open({ run: 's', dataset: 'nq' })).rejects.toThrow(
    'the question "open" has no answer to compare with; requireAnswers false',
  );
  const asked = await open({ run: 's', dataset: 'nq', requireAnswers: false });
  expect(asked).toMatchObject({ questions: 2, datasetName: 'nq.jsonl' });
  // A run goes on with what it began with, though the store has lost it.
  ports.datasets = snapshots(new MemoryStore());
  await expect(open({ dataset: refOf(first) })).resolves.toMatchObject({ questions: 3 });
  await expect(open({ run: 't', dataset: refOf(first) })).rejects.toThrow('datasets put');
});

it('reads questions of the input by a data set of somebody’s own', async () => {
  const { open, ports, questions } = await setUp(lines);
  const example = { ticket: 'T-1', asked: 'Where is the key?', solved: ['In the drawer'] };
  await expect(open({ dataset: [example] })).rejects.toThrow('fits no data set');
  ports.ownDatasets = [
    defineDataset({
      name: 'tickets',
      source: 'our help desk',
      schema: z.strictObject({
        ticket: z.string(),
        asked: z.string(),
        solved: z.array(z.string()),
      }),
      question: ({ ticket, asked, solved }) => ({ id: ticket, question: asked, answers: solved }),
      example,
    }),
  ];
  await open({ dataset: [example] });
  expect(await questions()).toMatchObject([{ id: 'T-1', answers: ['In the drawer'] }]);
});

it('asks the same sample with every seed of the model, and another by another sample seed', async () => {
  const many = Array.from({ length: 200 }, (_, i) => ({ ...bell, id: `q${i}` }));
  const drawn = async (changes: Partial<RunInput>) => {
    const { open, questions } = await setUp(many, { sample: 10, ...changes });
    await open();
    return (await questions()).map(({ id }) => id);
  };
  const one = await drawn({ seed: 1 });
  expect(one).toHaveLength(10);
  expect(await drawn({ seed: 2 })).toEqual(one);
  expect(await drawn({ seed: 1, sampleSeed: 1 })).not.toEqual(one);
});

it('joins a run of the same name, whatever its speed, and shows what differs', async () => {
  const { open, ports } = await setUp(lines, { options: { passages: 10 } });
  await open();
  const before = await ports.runs.manifest('r');
  const faster = { concurrency: 50, budgetUsd: 3, requestsPerMinute: 9, tokensPerMinute: 1e5 };
  const joined = await open({ ...faster, models: { default: 'scripted-1' } });
  expect(joined).toMatchObject({ questions: 3, spec: faster });
  expect(await ports.runs.manifest('r')).toEqual(before);

  const other = { options: { passages: 5 }, method: 'chainOfThought', seed: 1 };
  const message = await open(other).then(String, (error: Failure) => error.message);
  expect(message).toContain('run: there is another run r (');
  expect(message).toContain('options.passages: 10 there, 5 here');
  expect(message).toContain('method: "base" there, "chainOfThought" here');
  expect(message).toContain('seed: 0 there, 1 here');
  await expect(open({ models: { read: 'm' } })).rejects.toThrow('models.read: not set there');
  expect(await ports.runs.manifest('r')).toEqual(before);
});

it('sees that data set, corpus or model are others under the same name', async () => {
  const index = { name: 'sample', sha256: 'one', build: 'b1', builtAt: 'then', source: 'x' };
  const { open, ports } = await setUp(lines, {}, { describeCorpus: async () => index });
  await open();
  Object.assign(index, { build: 'b2', builtAt: 'now', source: 'y' });
  await expect(open()).resolves.toMatchObject({ questions: 3 });
  index.sha256 = 'another';
  await expect(open()).rejects.toThrow('corpus.sha256: "one" there, "another" here');
  index.sha256 = 'one';
  ports.defaultModel = 'scripted-2';
  await expect(open()).rejects.toThrow('models.default: "scripted-1" there, "scripted-2" here');
  ports.defaultModel = 'scripted-1';
  const dataset = [...lines, { ...bell, id: 'new' }];
  await expect(open({ dataset })).rejects.toThrow('dataset: "');
  expect((await ports.runs.manifest('r'))?.dataset.questions).toBe(3);
});

it('sees another provider, embedding model, reranker or prompt under the same name', async () => {
  const { open, ports } = await setUp(lines);
  await open();
  const usual = { ...ports };
  const reranker = { provider: 'r', model: 'cross' } as Ports['reranker'];
  const prompts = { ...usual.prompts, hashes: async () => ({ 'read.txt': 'edited' }) };
  const others: [Partial<Ports>, string][] = [
    [{ llm: { ...usual.llm, provider: 'elsewhere' } }, 'provider: "scripted" there, "elsewhere"'],
    [
      { embeddings: { provider: 'e', model: 'wide' } as Ports['embeddings'] },
      'embedding.model: "fake-words" there, "wide" here',
    ],
    [{ reranker }, 'reranker: null there, {'],
    [{ prompts }, 'prompts.read.txt: "'],
  ];
  for (const [change, message] of others) {
    Object.assign(ports, usual, { reranker: undefined }, change);
    await expect(open()).rejects.toThrow(message);
    await expect(open()).rejects.toThrow('--name');
  }
  Object.assign(ports, usual, { reranker: undefined });
  await expect(open()).resolves.toMatchObject({ questions: 3 });
});

it('takes a change into the run where that is accepted, and says from where on it holds', async () => {
  const { open, ports, questions } = await setUp(lines);
  await open();
  const before = await ports.runs.manifest('r');
  const startedAt = new Date(Date.now() - 1000).toISOString();
  for (const id of ['nq/1', 'nq/2']) {
    const scores = { em: 1, f1: 1 };
    await ports.runs.put('r', { id, result: result(), scores, startedAt, endedAt: startedAt });
  }
  const other = { ...lines[1], question: 'Who filed another caveat?' };
  const dataset = [lines[0], other, lines[2], { ...bell, id: 'new' }];
  await expect(open({ dataset })).rejects.toThrow('dataset: "');
  const { spec } = await open({ dataset, acceptChange: true, seed: 3 });
  expect(spec).not.toHaveProperty('acceptChange');

  const manifest = await ports.runs.manifest('r');
  expect(manifest).toMatchObject({
    ...{ createdAt: before?.createdAt, questions: 4, input: { seed: 3 } },
    dataset: { questions: 4 },
    changes: [
      {
        answered: 2,
        prompts: before?.prompts,
        differences: [expect.stringContaining('dataset: '), 'seed: 0 there, 3 here'],
      },
    ],
  });
  expect(manifest?.input).not.toHaveProperty('acceptChange');
  // What is there no longer differs; of the answers, the one to another question is no answer.
  await expect(open({ dataset, seed: 3 })).resolves.toMatchObject({ questions: 4 });
  expect((await questions()).map(({ id }) => id)).toEqual(['nq/1', 'nq/2', 'nq/3', 'new']);
  const toAsk = await readQuestions({ run: 'r', from: 0 }, ports);
  expect(toAsk.questions.map(({ id }) => id)).toEqual(['nq/2', 'nq/3', 'new']);
  expect(toAsk.kept.done).toBe(1);
});

it('says what a run would be asked with, and lets one under way take a change', async () => {
  const { open, ports, input } = await setUp(lines, { options: { passages: 3 } });
  const look = (more: object = {}) => identifyRun({ ...input, ...more }, ports);
  const { contents } = await look();
  expect(await look({ run: 'other', seed: 4 })).toEqual({ contents, differences: [] });
  expect(await ports.runs.list()).toEqual([]);
  await open();

  ports.llm = { ...ports.llm, provider: 'elsewhere' };
  const differences = ['provider: "scripted" there, "elsewhere" here'];
  expect(await look()).toEqual({ contents, differences });
  expect(await look({ acceptChange: true })).toEqual({ contents, differences: [] });
  expect(await look()).toEqual({ contents, differences: [] });
  expect(await ports.runs.manifest('r')).toMatchObject({
    ...{ provider: 'elsewhere', changes: [{ answered: 0, differences }] },
    // The corpus is left out where nothing searches, so what it is today must not be lost.
    corpus: { name: 'sample' },
  });

  const dataset = lines.slice(0, 1);
  expect((await look({ dataset })).contents).not.toBe(contents);
  await expect(look({ dataset, acceptChange: true })).rejects.toThrow(
    'cannot take another dataset',
  );
  const others = look({ acceptChange: true, models: { default: 'm' } });
  await expect(others).rejects.toThrow('Cancel it first');
});

it.each<[string, object[], string]>([
  ['empty', [], 'dataset: must be'],
  [
    'a wrong field',
    [{ ...bell, answers: 'Bell', question: 3 }],
    'question: must be text that is not empty',
  ],
  [
    'nothing to score',
    [bell, { id: 2, question: 'Who?' }],
    'answers: there is none to compare with',
  ],
  ['an id twice', [bell, lines[1] ?? {}, bell], 'dataset[0] and dataset[2] have the same id'],
  ['a bad line far behind the limit', [bell, {}], 'dataset[1] is no question'],
  ['a megabyte', [{ ...bell, question: 'Who? '.repeat(250_000) }], 'more than a megabyte'],
])('refuses a data set that is %s, and leaves nothing behind', async (_, content, message) => {
  const { open, ports } = await setUp(content, { limit: 1 });
  await expect(open()).rejects.toMatchObject({
    type: 'BadInput',
    message: expect.stringContaining(message),
  });
  expect(await ports.runs.list()).toEqual([]);
});

it.each<[object, string]>([
  [{ method: 'sura' }, 'method: there is no method "sura"; did you mean sure?'],
  [{ options: { passage: 3 } }, 'options.passage: there is no such field'],
  [{ run: '../r' }, 'run: must be letters'],
  [{ noise: { ratio: 0.5 } }, 'noise.ratio: must make whole passages'],
  [{ noise: { ratio: 1.5 } }, 'noise.ratio: '],
  [{ noise: { ratio: 0.4, depth: 4 } }, 'noise.depth: must be at least count'],
  [
    { noise: { ratio: 0.4 }, options: { passages: 3 } },
    'noise.count: is 5, but the method takes 3',
  ],
  [{ prompts: 'mine' }, 'the worker has no prompt set "mine"'],
  [{ budgetUsd: 1, models: { read: 'unpriced' } }, 'DURABLE_RAG_PRICES'],
  [{ budgetUsd: 1, judge: 'unpriced' }, 'budgetUsd: the price of unpriced is not known'],
])('refuses %j', async (changes, message) => {
  const { open, ports } = await setUp(lines);
  await expect(open(changes)).rejects.toMatchObject({
    type: 'BadInput',
    message: expect.stringContaining(message),
  });
  expect(await ports.runs.list()).toEqual([]);
});

it('stops when it is cancelled, and leaves nothing behind', async () => {
  const ending = new AbortController();
  const { open, ports } = await setUp(lines);
  ports.passages = {
    ...ports.passages,
    put: async () => {
      ending.abort(new Failure('Timeout', 'cancelled'));
      return [];
    },
  };
  await expect(open({}, ending)).rejects.toThrow('cancelled');
  expect(await ports.runs.manifest('r')).toBeUndefined();
});
