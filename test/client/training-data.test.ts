/** Chain-of-Note's training data: a run that takes the notes, and the fine-tuning files of it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { passageTexts } from '../../activities/run/passage-texts.js';
import { writeTrainingData } from '../../client/training-data.js';
import { type TrainingRun, trainingRun } from '../../client/training-run.js';
import { Failure } from '../../core/failure.js';
import { openRuns } from '../../evaluation/runs/run-source.js';
import { tokens } from '../support/completion.js';
import { temporaryFolder } from '../support/folder.js';
import { sharedHarness } from '../support/harness.js';
import { handleOf, historyText } from '../support/history.js';
import { jsonLines } from '../support/json-lines.js';
import { stored } from '../support/run.js';
import { modelThatSays } from '../support/saying.js';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});

const goodReply = 'Note 1 (relevant): It names Bell.\nNote 2 (irrelevant): Rivers.\nAnswer: Bell';

/** A model that replies by the question it is asked, the last one in the prompt. */
function modelBy(reply: (question: string) => string | Failure) {
  const asked: string[] = [];
  const model = modelThatSays(({ prompt }) => {
    const question = /Question: (.*)(?![\s\S]*Question:)/.exec(prompt)?.[1] ?? '';
    asked.push(question);
    const text = reply(question);
    if (text instanceof Failure) throw text;
    return { text, usage: tokens(100, 10), costUsd: 0.001 };
  });
  return { model, asked };
}

async function setUp(name: string, questions: object[], reply: Parameters<typeof modelBy>[0]) {
  const scripted = modelBy(reply);
  const harness = await sharedHarness(scripted.model);
  const run = `${name}-${harness.id}`;
  const out = join(folder, name);
  const dataset = await stored(questions, harness.ports);
  const start = (changes: Partial<TrainingRun> = {}) =>
    harness.client.startRun(
      trainingRun({ run, dataset, corpus: 'sample', passages: 2, ...changes }),
      {
        again: true,
      },
    );
  async function write() {
    const { runs, prompts, corpora, passages } = harness.ports;
    const [source] = await openRuns(runs, [run]);
    if (!source) throw new Error('There is no run.');
    return writeTrainingData(source, out, { prompts, ...passageTexts(corpora, passages) });
  }
  return { ...scripted, harness, run, out, start, write };
}

const own = [
  { title: 'Telephone', text: 'SECRET-TEXT Bell got the patent.' },
  { title: 'Rhine', text: 'SECRET-TEXT The Rhine is a river.' },
  { title: 'Third', text: 'SECRET-TEXT not among the first two.' },
];

const linesOf = async (file: string) => jsonLines(await readFile(file, 'utf8'));

describe("Chain-of-Note's training data", () => {
  it('asks every question, writes the complete ones, and goes on where some failed', async () => {
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
    const { harness, asked, out, start, write } = await setUp('whole', questions, (question) =>
      question === 'Who is refused?' && refuses
        ? new Failure('ContentRefused', 'No.')
        : (replies[question] ?? goodReply),
    );
    const run = await start();
    const progress = await run.result();
    expect(progress).toMatchObject({ questions: 6, done: 6, outcomes: { failed: 1 } });
    // The others say no answer to compare with.
    expect(progress.scores).toMatchObject({ em: { questions: 1, sum: 1 } });
    const files = { chat: join(out, 'train.jsonl'), weighted: join(out, 'train-weighted.jsonl') };
    expect(await write()).toMatchObject({
      questions: 6,
      examples: 3,
      unknown: 1,
      incomplete: 1,
      unreadable: 1,
      failed: 1,
      // The mumbling one was asked three times.
      usage: { calls: 7, promptTokens: 700 },
      files,
    });

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

    const history = historyText(await handleOf(harness.connection, run.workflowId).fetchHistory());
    expect(history).toContain('Who got the patent?');
    expect(history).not.toContain('SECRET-TEXT');

    refuses = false;
    asked.length = 0;
    const again = await start();
    expect(again.workflowId).toBe(run.workflowId);
    expect(await again.result()).toMatchObject({ questions: 6, outcomes: { failed: 0 } });
    expect(asked).toEqual(['Who is refused?']);
    expect(await write()).toMatchObject({ examples: 4, failed: 0 });
    expect(await linesOf(files.chat)).toHaveLength(4);

    await expect(start({ seed: 1 })).rejects.toMatchObject({
      type: 'Conflict',
      message: expect.stringContaining('other options (seed: 0 there, 1 here)'),
    });
  });

  it('refuses what it cannot work with', async () => {
    const { start } = await setUp('refused', [{ id: 1, question: 'Who?' }], () => goodReply);
    const empty = [{ id: 1, question: '' }];
    await expect(start({ concurrency: 0 })).rejects.toThrow('concurrency');
    await expect(start({ passages: 51 })).rejects.toThrow('options.passages');
    await expect((await start({ dataset: empty })).result()).rejects.toThrow(
      'question: must be text that is not empty',
    );

    const dataset = [{ id: 1, question: 'Who?', answers: ['Bell'] }];
    const other = await setUp('other', dataset, () => 'Bell');
    const { run } = other;
    const base = { run, dataset, method: 'base', options: { passages: 0 } };
    await (await other.harness.client.startRun(base)).result();
    await expect(other.write()).rejects.toThrow('has no notes to learn from: its method is base');
  });
});
