/** Every input of a workflow that names a place on the worker's machine: none leads out of its folders. */

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openRun } from '../../activities/run/open-run.js';
import { readQuestions } from '../../activities/run/read-questions.js';
import { createPromptLibrary } from '../../activities/runtime/prompts.js';
import { metricRegistry } from '../../evaluation/metrics/registry.js';
import { methodRegistry } from '../../interpreters/methods.js';
import { openCorpora } from '../../retrieval/lancedb/lance-corpora.js';
import { fileRuns } from '../../stores/runs/file-runs.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { failureOf } from '../support/failure-of.js';
import { temporaryFolder } from '../support/folder.js';
import { testPorts } from '../support/ports.js';

/** Like the first line of a file of accounts. */
const SECRET = 'root:x:0:0:super,user:/root:/bin/bash';
const never = new AbortController().signal;

let folder = '';
beforeEach(async () => {
  folder = await temporaryFolder();
  for (const name of ['allowed', 'home', 'outside']) {
    await mkdir(join(folder, name), { recursive: true });
  }
  await writeFile(join(folder, 'outside', 'passwd'), `${SECRET}\n`);
  await writeFile(join(folder, 'outside', 'base.txt'), SECRET);
});

function worker() {
  return testPorts(scriptedModel([]), {
    runs: fileRuns(join(folder, 'home')),
  });
}

const evaluation = (changes: object) =>
  openRun({ run: 'r', method: 'base', dataset: 'none', ...changes }, worker(), never);

async function expectNothingTold(work: Promise<unknown>): Promise<void> {
  const { message } = await failureOf(work);
  for (const part of ['root:x', 'super', '/bin/bash']) expect(message).not.toContain(part);
}

test('no file is read by what an evaluation calls its data set', async () => {
  const file = join(folder, 'outside', 'passwd');
  for (const dataset of [file, 'outside/passwd', `name:${file}`, 'sha256:../passwd', 'a\0']) {
    expect(await failureOf(evaluation({ dataset }))).toMatchObject({ type: 'UnknownText' });
    await expectNothingTold(evaluation({ dataset }));
  }
});

test.each(['../outside', '..', '/tmp/r', 'a/../../outside', '.hidden', 'r\0'])(
  'a run called %j is refused, and nothing is written',
  async (run) => {
    const dataset = [{ question: 'q', answers: ['a'] }];
    const before = await readdir(folder, { recursive: true });
    await failureOf(evaluation({ run, dataset }));
    const ports = {
      runs: fileRuns(join(folder, 'home')),
      metrics: metricRegistry(),
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
