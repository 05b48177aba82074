/** Chain-of-Note's training data, from a data set to fine-tuning files. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Completion, CompletionRequest, LanguageModel } from '../../llm/language-model.js';
import { Failure } from '../../methods/failure.js';
import { fileName } from '../../results/file-results.js';
import { startHarness } from '../support/harness.js';
import { handleOf, historyText } from '../support/history.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'durable-rag-training-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const goodReply = 'Note 1 (relevant): It names Bell.\nNote 2 (irrelevant): Rivers.\nAnswer: Bell';

/** A model that replies by the question it is asked, the last one in the prompt. */
function modelBy(reply: (question: string) => string | Failure | 'hang') {
  const asked: string[] = [];
  const flight = { now: 0, most: 0 };
  const model: LanguageModel = {
    provider: 'scripted',
    async complete({ messages }: CompletionRequest, signal): Promise<Completion> {
      const prompt = messages.map(({ content }) => content).join('\n');
      const question = /Question: (.*)(?![\s\S]*Question:)/.exec(prompt)?.[1] ?? '';
      asked.push(question);
      flight.now++;
      flight.most = Math.max(flight.most, flight.now);
      try {
        const text = reply(question);
        if (text instanceof Failure) throw text;
        await (text === 'hang' ? aborted(signal) : new Promise((done) => setTimeout(done, 20)));
        const usage = { promptTokens: 100, cachedPromptTokens: 0, completionTokens: 10 };
        const served = { servedModel: 'scripted-1', fingerprint: null };
        return { text, cut: false, usage, costUsd: 0.001, ...served };
      } finally {
        flight.now--;
      }
    },
  };
  return { model, asked, flight };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason as Error));
  });
}

async function setUp(name: string, questions: object[], reply: Parameters<typeof modelBy>[0]) {
  const scripted = modelBy(reply);
  const harness = await startHarness(scripted.model);
  onTestFinished(() => harness.close());
  const dataset = join(folder, `${name}.jsonl`);
  await writeFile(dataset, questions.map((question) => `${JSON.stringify(question)}\n`).join(''));
  const input = { dataset, out: join(folder, name), passages: 2 };
  return { ...scripted, harness, input };
}

const own = [
  { title: 'Telephone', text: 'SECRET-TEXT Bell got the patent.' },
  { title: 'Rhine', text: 'SECRET-TEXT The Rhine is a river.' },
  { title: 'Third', text: 'SECRET-TEXT not among the first two.' },
];

const linesOf = async (file: string) =>
  (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('chainOfNoteTraining', () => {
  it('asks every question, exports the complete ones, and goes on where some failed', async () => {
    let refuses = true;
    const replies: Record<string, string> = {
      'Who is missing?': 'Note 1 (irrelevant): A.\nNote 2 (irrelevant): B.\nAnswer: unknown',
      'Who has one note?': 'Note 1 (relevant): A.\nAnswer: Bell',
      'Who mumbles?': '(a)',
    };
    const questions = [
      { id: 'nq/1', question: 'Who got the patent?', passages: own, answers: ['Bell'] },
      { id: 'nq/2', question: 'Who is searched for?' },
      { id: 'nq/3', question: 'Who is missing?', passages: own },
      { id: 'nq/4', question: 'Who has one note?', passages: own },
      { id: 'nq/5', question: 'Who mumbles?', passages: own },
      { id: 'nq/6', question: 'Who is refused?', passages: own },
    ];
    const { harness, input, asked } = await setUp('whole', questions, (question) =>
      question === 'Who is refused?' && refuses
        ? new Failure('ContentRefused', 'No.')
        : (replies[question] ?? goodReply),
    );
    const job = await harness.client.startTraining(input);
    const files = {
      chat: join(input.out, 'train.jsonl'),
      weighted: join(input.out, 'train-weighted.jsonl'),
    };
    const summary = await job.result();
    expect(summary).toMatchObject({
      ...{ questions: 6, examples: 3, unknown: 1, incomplete: 1, unreadable: 1, failed: 1 },
      // The mumbling one was asked three times.
      usage: { calls: 7, promptTokens: 700 },
      files,
    });
    expect(await job.progress()).toEqual({ questions: 6, done: 6, failed: 1, running: 0 });

    const chat = await linesOf(files.chat);
    expect(chat.map(({ messages }) => messages[1].content)).toEqual([
      goodReply,
      goodReply,
      replies['Who is missing?'],
    ]);
    const [first, second] = chat.map(({ messages }) => messages[0].content);
    expect(first).toContain('SECRET-TEXT Bell got the patent.');
    expect(first).not.toContain('not among the first two');
    expect(first).not.toContain('Example 1');
    expect(first).toContain('Question: Who got the patent?');
    expect(second).toContain('Text of passage 2.');

    const weighted = await linesOf(files.weighted);
    expect(weighted.map(({ id }) => id)).toEqual(['nq/1', 'nq/2', 'nq/3']);
    // Half of three, the odd one for notes and answer.
    expect(weighted.map(({ loss }) => loss).sort()).toEqual([
      'answer',
      'notes-and-answer',
      'notes-and-answer',
    ]);

    const history = historyText(await handleOf(harness.connection, job.workflowId).fetchHistory());
    expect(history).toContain('Who got the patent?');
    expect(history).not.toContain('SECRET-TEXT');

    refuses = false;
    asked.length = 0;
    const again = await harness.client.startTraining(input);
    expect(again.workflowId).toBe(job.workflowId);
    expect(await again.result()).toMatchObject({ examples: 4, failed: 0, questions: 6 });
    expect(asked).toEqual(['Who is refused?']);
    expect(await linesOf(files.chat)).toHaveLength(4);

    const other = await harness.client.startTraining({ ...input, seed: 1 });
    await expect(other.result()).rejects.toMatchObject({
      type: 'BadInput',
      message: expect.stringContaining('other settings (seed: 0 there, 1 here)'),
    });
  });

  it('goes from run to run, so many questions at a time, and asks none twice', async () => {
    // So long that a page holds some thirty of them.
    const questions = Array.from({ length: 70 }, (_, i) => ({
      id: i,
      question: `Who is number ${i}? ${'x'.repeat(15_000)}`,
    }));
    const { harness, input, asked, flight } = await setUp('long', questions, () => goodReply);
    const started = { ...input, window: 4, sample: 60 };
    const job = await harness.client.startTraining(started);
    const first = await handleOf(harness.connection, job.workflowId).describe();
    expect(await job.result()).toMatchObject({ questions: 60, examples: 60 });
    const last = await handleOf(harness.connection, job.workflowId).describe();
    expect(last.runId).not.toBe(first.runId);
    expect(last.historyLength).toBeLessThan(1000);
    expect(new Set(asked).size).toBe(60);
    expect(asked).toHaveLength(60);
    expect(flight.most).toBeLessThanOrEqual(4);
    expect(flight.most).toBeGreaterThan(1);
    expect(await job.progress()).toEqual({ questions: 60, done: 60, failed: 0, running: 0 });
  });

  it('takes its questions with it when it is cancelled, and can be started again', async () => {
    let hangs = true;
    const questions = ['a', 'b', 'c', 'd'].map((id) => ({ id, question: `Who is ${id}?` }));
    const { harness, input, asked, flight } = await setUp('cancelled', questions, (question) =>
      hangs && question !== 'Who is a?' ? 'hang' : goodReply,
    );
    const started = { ...input, window: 2 };
    const job = await harness.client.startTraining(started);
    const soon = { timeout: 30_000, interval: 50 };
    await vi.waitFor(() => expect([asked.length, flight.now]).toEqual([3, 2]), soon);
    await job.cancel();
    await expect(job.result()).rejects.toThrow();
    await vi.waitFor(() => expect(flight.now).toBe(0), soon);
    expect(asked.sort()).toEqual(['Who is a?', 'Who is b?', 'Who is c?']);
    for (const id of ['', `/${fileName('b')}`, `/${fileName('c')}`]) {
      const handle = handleOf(harness.connection, job.workflowId + id);
      expect((await handle.describe()).status.name).toBe('CANCELLED');
    }

    hangs = false;
    asked.length = 0;
    const again = await harness.client.startTraining(started);
    expect(await again.result()).toMatchObject({ questions: 4, examples: 4 });
    expect(asked.sort()).toEqual(['Who is b?', 'Who is c?', 'Who is d?']);
  });

  it('stops at a failure that every question would meet, and says which', async () => {
    const questions = Array.from({ length: 30 }, (_, id) => ({ id, question: `Who is ${id}?` }));
    const { harness, input, asked } = await setUp(
      'stopped',
      questions,
      () => new Failure('QuotaExhausted', 'No credit.'),
    );
    const job = await harness.client.startTraining({ ...input, window: 3 });
    await expect(job.result()).rejects.toMatchObject({
      type: 'QuotaExhausted',
      message: 'No credit.',
    });
    expect(asked.length).toBeLessThan(30);
  });

  it('refuses what it cannot work with', async () => {
    const { harness, input } = await setUp('refused', [{ id: 1, question: '' }], () => goodReply);
    const start = (changes: object) => harness.client.startTraining({ ...input, ...changes });
    await expect(start({ window: 0 })).rejects.toThrow('window');
    await expect(start({ folder: 'x' })).rejects.toThrow('folder: there is no such field');
    await expect((await start({})).result()).rejects.toThrow('line 1 is no question: question');
    const missing = await start({ dataset: join(folder, 'nowhere.jsonl') });
    await expect(missing.result()).rejects.toThrow('does not exist');
  });
});
