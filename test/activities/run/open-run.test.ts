import { expect, it } from 'vitest';
import { z } from 'zod';
import { createPromptLibrary } from '../../../activities/runtime/prompts.js';
import { statusFromManifest } from '../../../cli/run/run-status.js';
import { Failure } from '../../../core/failure.js';
import type { RunInput } from '../../../core/run/input.js';
import { defineDataset } from '../../../evaluation/dataset/define-dataset.js';
import { readGiven } from '../../../evaluation/dataset/read-dataset.js';
import { snapshotRef, snapshots } from '../../../evaluation/dataset/snapshots.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import { bell, lines, setUp } from './support.js';

it('writes down the questions and all it takes to repeat the run', async () => {
  const { open, questions, ports } = await setUp(lines, { method: 'sure', seed: 7 });
  const { spec, questions: count } = await open();
  expect(count).toBe(3);
  expect(spec).toMatchObject({ seed: 7, models: { default: 'scripted-1' }, concurrency: 20 });
  expect(spec.options).toMatchObject({ candidates: 2, passages: 10 });

  const [first, second, third] = await questions();
  expect(first).toEqual({
    ...bell,
    answerKind: 'span',
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
    run: 'r',
    questions: 3,
    input: spec,
    provider: 'scripted',
    dataset: {
      file: 'input',
      questions: 3,
      selected: 3,
      rule: 'all questions',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      kinds: { span: 2, boolean: 1 },
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

it('keeps no budget of a cell of a study, whose share is that of one round', async () => {
  const study = { name: 's', method: 'base', dataset: 'd', model: 'm', place: 0, repeat: 1 };
  const cell = await setUp(lines, { budgetUsd: 2, study });
  expect((await cell.open()).spec.budgetUsd).toBe(2);
  expect((await cell.ports.runs.manifest('r'))?.input).not.toHaveProperty('budgetUsd');
  const run = await setUp(lines, { budgetUsd: 2 });
  await run.open();
  expect((await run.ports.runs.manifest('r'))?.input.budgetUsd).toBe(2);
});

it('writes down the form of the answers, which the method declares', async () => {
  const formOf = async (method: string, options: Record<string, unknown>) => {
    const { open, ports } = await setUp(lines, { method, options });
    await open();
    return (await ports.runs.manifest('r'))?.answerForm;
  };
  expect(await formOf('llatrieval', { answerForm: 'list' })).toBe('list');
  expect(await formOf('llatrieval', {})).toBe('prose');
  expect(await formOf('base', { answerForm: 'prose' })).toBe('prose');
  expect(await formOf('base', {})).toBeUndefined();
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
  expect(statusFromManifest(manifest).idleSearch).toBe(
    'without effect, as no question searches: corpus nowhere',
  );
  const memory = await setUp(lines, { corpus: 'nowhere', options: { passages: 0 } });
  expect((await memory.open()).questions).toBe(3);
  const searched = await setUp(lines);
  await searched.open();
  expect(statusFromManifest(await searched.ports.runs.manifest('r'))).toEqual({});
});

const bringing = lines[0];
const paragraphs = ['Boats.', 'Bell got it.', 'A river.'].map((paragraph_text, idx) => ({
  idx,
  title: '',
  paragraph_text,
  is_supporting: idx === 1,
}));
const musique = { id: 'm', question: 'Who got it?', answer: 'Bell', paragraphs };

it.each<[string, object, object, string | undefined]>([
  ['a data set whose passages are in no order', musique, {}, 'bm25'],
  ['its passages as given', musique, { mode: 'given' }, 'given'],
  ['its passages otherwise', musique, { mode: 'hybrid' }, 'hybrid'],
  ['the corpus in their place', musique, { ownPassages: false }, undefined],
  ['chosen with noise', musique, { noise: { ratio: 0, count: 3 } }, undefined],
  ['a method without passages', musique, { options: { passages: 0 } }, undefined],
  ['ranked passages', { ...bringing }, {}, undefined],
  ['passages that a record calls unranked', { ...bringing, passagesRanked: false }, {}, 'bm25'],
])('ranks the passages of %s', async (_, record, changes, mode) => {
  const { open, ports } = await setUp([record], changes);
  const { spec } = await open();
  expect(spec.mode).toBe(mode);
  const manifest = await ports.runs.manifest('r');
  expect(manifest?.input.mode).toBe(mode);
  // The input that a run keeps leads to the same run.
  expect((await open({ ...manifest?.input })).spec.mode).toBe(mode);
});

it('is another run with passages as they are given', async () => {
  const { open } = await setUp([musique]);
  await open();
  await expect(open({ mode: 'bm25' })).resolves.toBeDefined();
  await expect(open({ mode: 'given' })).rejects.toThrow('mode');
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
    limit: 20,
    sample: 5,
    sampleSeed: 3,
  });
  expect((await open()).questions).toBe(5);
  const ids = (await questions()).map(({ id }) => Number(id.slice(1)));
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  expect(Math.max(...ids)).toBeLessThan(20);
  expect((await ports.runs.manifest('r'))?.dataset).toMatchObject({
    questions: 50,
    selected: 5,
    rule: expect.stringContaining('"3|" + id'),
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
  expect(spec.dataset).toBe(snapshotRef(first));
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
  await expect(open({ dataset: snapshotRef(first) })).resolves.toMatchObject({ questions: 3 });
  await expect(open({ run: 't', dataset: snapshotRef(first) })).rejects.toThrow('datasets put');
});

it('reads questions of the input by a data set of somebody’s own', async () => {
  const { open, ports, questions } = await setUp(lines);
  const example = { ticket: 'T-1', asked: 'Where is the key?', solved: ['In the drawer'] };
  await expect(open({ dataset: [example] })).rejects.toThrow('matches no known data set');
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

it.each<[string, object[], string]>([
  ['empty', [], 'dataset: must be'],
  [
    'nothing to score',
    [bell, { id: 2, question: 'Who?' }],
    'answers: are missing, so the question cannot be scored',
  ],
  ['a bad line far behind the limit', [bell, {}], 'dataset[1] is not a question'],
  ['a megabyte', [{ ...bell, question: 'Who? '.repeat(250_000) }], 'larger than a megabyte'],
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
  [
    { noise: { ratio: 0.5 } },
    'noise.ratio: must give a whole number of passages out of 5 (noise.count,',
  ],
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

it('takes an endpoint of this machine without a price for free, and says so', async () => {
  const { open, ports } = await setUp(lines);
  ports.llm = { ...ports.llm, provider: 'http://127.0.0.1:9/v1' };
  const asked = { budgetUsd: 1, models: { read: 'unpriced' }, judge: 'scripted-1' };
  const { assumedFree } = await open(asked);
  expect(assumedFree).toContain('unpriced');
  expect(assumedFree).not.toContain('scripted-1');
  const [manifest] = await ports.runs.list();
  expect(manifest).toMatchObject({ assumedFree });
  ports.llm = { ...ports.llm, provider: 'http://10.0.0.7:9/v1' };
  await expect(open({ ...asked, run: 'elsewhere' })).rejects.toThrow('price of');
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
