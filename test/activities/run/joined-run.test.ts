/** A run that is opened again: what makes it another one, and a change that it takes. */
import { expect, it } from 'vitest';
import { identifyRun } from '../../../activities/run/identify-run.js';
import { readQuestions } from '../../../activities/run/read-questions.js';
import type { Ports } from '../../../activities/runtime/ports.js';
import type { Failure } from '../../../core/failure.js';
import { bell, lines, result, setUp } from './support.js';

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

it('sees that what a run is asked with is another under the same name', async () => {
  const index = { name: 'sample', sha256: 'one', build: 'b1', builtAt: 'then', source: 'x' };
  const describeCorpus = async () => index;
  const { open, ports } = await setUp(lines, {}, { describeCorpus });
  await open();
  Object.assign(index, { build: 'b2', builtAt: 'now', source: 'y' });
  const usual = { ...ports };
  const others: [Partial<Ports>, string][] = [
    [
      { describeCorpus: async () => ({ ...index, sha256: 'two' }) },
      'corpus.sha256: "one" there, "',
    ],
    [{ defaultModel: 'scripted-2' }, 'models.default: "scripted-1" there, "scripted-2" here'],
    [{ usual: { extraBody: { top_k: 5 } } }, 'extraBody.top_k: not set there, 5 here'],
    [{ llm: { ...usual.llm, provider: 'elsewhere' } }, 'provider: "scripted" there, "elsewhere"'],
    [
      { embeddings: { provider: 'e', model: 'wide' } as Ports['embeddings'] },
      'embedding.model: "fake-words" there, "wide" here',
    ],
    [
      { reranker: { provider: 'r', model: 'cross' } as Ports['reranker'] },
      'reranker: null there, {',
    ],
    [
      { prompts: { ...usual.prompts, hashes: async () => ({ 'read.txt': 'edited' }) } },
      'prompts.read.txt: "',
    ],
  ];
  for (const [change, message] of others) {
    Object.assign(ports, usual, { reranker: undefined, usual: undefined }, change);
    await expect(open()).rejects.toThrow(message);
    await expect(open()).rejects.toThrow('--name');
  }
  Object.assign(ports, usual, { reranker: undefined, usual: undefined });
  const dataset = [...lines, { ...bell, id: 'new' }];
  await expect(open({ dataset })).rejects.toThrow('dataset: "');
  expect((await ports.runs.manifest('r'))?.dataset.questions).toBe(3);
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
    createdAt: before?.createdAt,
    questions: 4,
    input: { seed: 3 },
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
  expect(await look({ run: 'other', seed: 4 })).toEqual({ contents, metrics: [], differences: [] });
  expect(await ports.runs.list()).toEqual([]);
  await open();

  ports.llm = { ...ports.llm, provider: 'elsewhere' };
  const differences = ['provider: "scripted" there, "elsewhere" here'];
  expect(await look()).toEqual({ contents, metrics: [], differences });
  expect(await look({ acceptChange: true })).toEqual({ contents, metrics: [], differences: [] });
  expect(await look()).toEqual({ contents, metrics: [], differences: [] });
  expect(await ports.runs.manifest('r')).toMatchObject({
    provider: 'elsewhere',
    changes: [{ answered: 0, differences }],
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
