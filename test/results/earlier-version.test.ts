/** A run as an earlier version has left it: read, told of, gone on with and carried elsewhere. */

import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readQuestions } from '../../activities/batch/read-questions.js';
import { keptStatus } from '../../client/cli/batch/run-status.js';
import { comparisonText } from '../../evaluation/runs/comparison-text.js';
import { evaluateRuns } from '../../evaluation/runs/evaluate-runs.js';
import { openRuns } from '../../evaluation/runs/run-source.js';
import { fileRuns } from '../../results/file-runs.js';
import { readRunArchive, writeRunArchive } from '../../results/run-archive.js';
import { methodRegistry, parseBatchInput } from '../../workflows/methods.js';

/** Written before runs said what they were begun with: three questions, one of which failed. */
const RECORDED = fileURLToPath(new URL('fixtures/earlier-version', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'durable-rag-earlier-'));
  await cp(RECORDED, join(folder, 'earlier'), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('is told of and compared', async () => {
  const runs = fileRuns(folder);
  const [manifest] = await runs.list();
  if (!manifest) throw new Error('There is no run.');
  expect(await keptStatus(manifest, runs)).toMatchObject({
    state: 'finished',
    progress: { done: 3, outcomes: { answered: 2, failed: 1 }, failures: [{ questions: 1 }] },
  });
  const text = comparisonText(await evaluateRuns(await openRuns(runs, ['earlier'])));
  expect(text).toMatch(/^EM +66\.7 /m);
  // What it was asked with is still an input.
  expect(parseBatchInput(manifest.input)).toMatchObject({ run: 'earlier', method: 'base' });
});

test('goes on with what failed', async () => {
  const ports = { runs: fileRuns(folder), metrics: new Map(), methods: methodRegistry() };
  const { questions, kept } = await readQuestions({ run: 'earlier', from: 0 }, ports);
  expect(questions.map(({ id }) => id)).toEqual(['q1']);
  expect(kept).toMatchObject({ done: 2, outcomes: { answered: 2 } });
});

test('is carried elsewhere', async () => {
  const file = join(folder, 'earlier.tar.gz');
  await writeRunArchive('earlier', file, { runs: fileRuns(folder), texts: async () => new Map() });
  const there = fileRuns(join(folder, 'there'));
  await readRunArchive(file, { runs: there, keepText: async () => {} });
  const [run] = await openRuns(fileRuns(folder), ['earlier']);
  expect(await there.manifest('earlier')).toEqual(run?.manifest);
});
