/** Every input of a workflow that names a place on the worker's machine: none leads out of its folders. */

import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openRun } from '../../activities/batch/open-run.js';
import { readQuestions } from '../../activities/batch/read-questions.js';
import { collectTrainQuestions } from '../../activities/jobs/collect-train-questions.js';
import { createPromptLibrary } from '../../activities/runtime/prompts.js';
import { ownMetrics } from '../../evaluation/own/registry.js';
import { fileRuns } from '../../results/file-runs.js';
import { openCorpora } from '../../retrieval/corpora.js';
import { allowedFiles } from '../../stores/allowed-files.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { methodRegistry } from '../../workflows/methods.js';
import { failureOf } from '../retrieval/contract.js';
import { testPorts } from '../support/harness.js';

/** Like the first line of a file of accounts. */
const SECRET = 'root:x:0:0:super,user:/root:/bin/bash';
const never = new AbortController().signal;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'durable-rag-paths-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ['allowed/beir/qrels', 'home', 'outside']) {
    await mkdir(join(folder, name), { recursive: true });
  }
  await writeFile(join(folder, 'outside', 'passwd'), `${SECRET}\n`);
  await writeFile(join(folder, 'outside', 'base.txt'), SECRET);
});

function worker() {
  return testPorts(scriptedModel([]), {
    files: allowedFiles([join(folder, 'allowed')]),
    runs: fileRuns(join(folder, 'home')),
  });
}

const evaluation = (changes: object) =>
  openRun({ run: 'r', method: 'base', dataset: '', ...changes }, worker(), never);
const clusters = (changes: object) =>
  collectTrainQuestions({ name: 'n', dataset: '', ...changes }, worker(), never);

async function expectNothingTold(work: Promise<unknown>): Promise<void> {
  const { message } = await failureOf(work);
  for (const part of ['root:x', 'super', '/bin/bash']) expect(message).not.toContain(part);
}

describe.each([
  ['an evaluation', evaluation],
  ['a clustering job', clusters],
])('the data set of %s', (_, start) => {
  test('is not read outside, by whatever way it is named', async () => {
    await symlink(join(folder, 'outside'), join(folder, 'allowed', 'link'));
    for (const path of ['outside/passwd', 'allowed/../outside/passwd', 'allowed/link/passwd']) {
      const work = start({ dataset: join(folder, 'allowed').replace(/allowed$/, path) });
      expect(await failureOf(work)).toMatchObject({ type: 'Permission' });
      await expectNothingTold(work);
    }
  });

  test('is not a folder of files that lie outside', async () => {
    const beir = join(folder, 'allowed', 'beir');
    await writeFile(join(beir, 'queries.jsonl'), '');
    await writeFile(join(beir, 'qrels', 'test.tsv'), '');
    await symlink(join(folder, 'outside', 'passwd'), join(beir, 'corpus.jsonl'));
    expect(await failureOf(start({ dataset: beir }))).toMatchObject({ type: 'Permission' });
  });

  test.each([
    ['no data set', SECRET],
    ['a table', `${SECRET}\n${SECRET},${SECRET}`],
    ['a table with a quotation mark', `question,answer\n"${SECRET}`],
    ['JSON with a fault', `{"question": ${SECRET}`],
    ['a JSON text', JSON.stringify(SECRET)],
    ['a JSON list', `[{"question": "q", "answers": ["a"]}, ${SECRET}]`],
    ['an id twice', `{"id":"${SECRET}","question":"q","answers":["a"]}\n`.repeat(2)],
    ['an answer of two readings', JSON.stringify({ question: 'q', answers: [`${SECRET}|b`] })],
    ['a choice', JSON.stringify({ question: 'q', answer: 'C', choices: [SECRET, 'b'] })],
    ['an answer kind', JSON.stringify({ question: 'q', answers: ['a'], answerKind: SECRET })],
    [
      'a score',
      JSON.stringify({ question: 'q', answers: ['a'], ctxs: [{ text: 'x', score: SECRET }] }),
    ],
    ['an object for answers', JSON.stringify({ question: 'q', answers: { value: [SECRET] } })],
    [
      'a text for a list',
      JSON.stringify({ question: 'q', answer: { text: SECRET, aliases: SECRET } }),
    ],
    ['a number for a question', JSON.stringify({ question: { stem: [SECRET] }, answers: ['a'] })],
    ['Parquet', `PAR1${SECRET}`],
  ])('that is %s is refused without its words', async (_name, content) => {
    const dataset = join(folder, 'allowed', 'data');
    await writeFile(dataset, content);
    // Jobs ask questions without answers as well, and take some of these as they are.
    await start({ dataset }).catch(() => expectNothingTold(start({ dataset })));
  });
});

test.each(['../outside', '..', '/tmp/r', 'a/../../outside', '.hidden', 'r\0'])(
  'a run called %j is refused, and nothing is written',
  async (run) => {
    const dataset = join(folder, 'allowed', 'data.jsonl');
    await writeFile(dataset, JSON.stringify({ question: 'q', answers: ['a'] }));
    const before = await readdir(folder, { recursive: true });
    await failureOf(evaluation({ run, dataset }));
    const ports = {
      runs: fileRuns(join(folder, 'home')),
      metrics: ownMetrics(),
      methods: methodRegistry(),
    };
    await failureOf(readQuestions({ run, from: 0 }, ports));
    expect(await readdir(folder, { recursive: true })).toEqual(before);
  },
);

test.each(['../outside', '..', '.', 'a/../../outside', '/etc'])(
  'a prompt set called %j is refused',
  async (set) => {
    const prompts = createPromptLibrary(join(folder, 'allowed'));
    await expectNothingTold(prompts.load(set, 'base'));
    await expectNothingTold(prompts.hashes(set));
  },
);

test.each(['../outside', '..', 'a/b', '/etc'])('a corpus called %j is refused', async (corpus) => {
  const corpora = openCorpora(join(folder, 'allowed'));
  expect(await failureOf(corpora.open(corpus))).toMatchObject({ type: 'BadInput' });
  expect(await failureOf(corpora.describe(corpus))).toMatchObject({ type: 'BadInput' });
});
