/** A passage's own id and score, from the question that brings it to all that tells of it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FidExample } from '../../../evaluation/fid.js';
import type { ExportedAnswer } from '../../../evaluation/runs/export-line.js';
import { commandLineOver } from '../../support/command-line.js';
import { jsonLines } from '../../support/json-lines.js';
import { promptOf } from '../../support/telephone.js';

const question = 'What colour has the sky?';

/** By rank the two passages of grass outweigh that of the sky; by the retriever's scores they do not. */
const passages = [
  { id: 'doc-7', title: 'Sky', text: 'The sky is blue.', score: 5 },
  { id: 'doc-7', title: '', text: 'Grass is green.', score: 1 },
  { id: 9, title: 'Hedge', text: 'A hedge is green.', score: 1 },
];
const given = [
  { score: 5, own: { id: 'doc-7', score: 5 } },
  { score: 1, own: { id: 'doc-7', score: 1 } },
  { score: 1, own: { id: '9', score: 1 } },
];
const told = { answer: 'blue', confidence: expect.closeTo(0.965, 3), chain: { passages: given } };

const replug = ['--method', 'replug', '--option', 'weights=retrieval', '--option', 'passages=3'];
const over = () =>
  commandLineOver((request) => ({
    text: promptOf(request).includes('sky is') ? 'blue' : 'green',
  }));

test('ask weighs by the scores of retrieval.passages', async () => {
  const { cli } = await over();
  await cli.worker();
  const input = join(cli.home, 'input.json');
  await writeFile(input, JSON.stringify({ retrieval: { passages } }));
  const asked = await cli.json(['ask', question, ...replug, '--input', input]);
  expect(asked).toMatchObject(told);
  expect(new Set(asked.chain.passages.map(({ id }: { id: string }) => id)).size).toBe(3);
  expect(asked.evidence).toEqual([asked.chain.passages[0].id]);

  // A score that one of them lacks is no score to weigh by: the order is.
  const [first, ...others] = passages;
  const partly = [first, ...others.map(({ score: _, ...one }) => one)];
  await writeFile(input, JSON.stringify({ retrieval: { passages: partly } }));
  const byRank = await cli.json(['ask', question, ...replug, '--input', input]);
  expect(byRank).toMatchObject({
    answer: 'green',
    chain: { passages: [{ score: 1, own: { score: 5 } }, { score: 1 / 2 }, {}] },
  });
});

test('a run weighs by them, and its exports, its archive and its report have them', async () => {
  const { cli } = await over();
  await cli.worker();
  const dataset = await cli.write('sky.jsonl', {
    id: 'sky',
    question,
    answers: ['blue'],
    passages,
  });
  await cli.ok(['eval', ...replug, '--dataset', dataset, '--name', 'own']);
  const linesOf = async (run: string): Promise<ExportedAnswer[]> =>
    jsonLines((await cli.ok(['export', run])).stdout);
  const [line] = await linesOf('own');
  expect(line).toMatchObject({ passages: given, result: told });
  // What the answer rests on is joined with one's corpus by the ids beside.
  const evidence = line?.passages?.find(({ id }) => id === line.result?.evidence[0]);
  expect(evidence?.own).toEqual({ id: 'doc-7', score: 5 });

  const fid: FidExample[] = jsonLines((await cli.ok(['export', 'own', '--format', 'fid'])).stdout);
  expect(fid[0]?.ctxs).toEqual([
    { id: 'doc-7', title: 'Sky', text: 'The sky is blue.', score: 5 },
    { id: 'doc-7', title: '', text: 'Grass is green.', score: 1 },
    { id: '9', title: 'Hedge', text: 'A hedge is green.', score: 1 },
  ]);

  const archive = join(cli.home, 'own.tar.gz');
  await cli.ok(['runs', 'export', 'own', archive]);
  await cli.ok(['runs', 'import', archive, '--name', 'copy']);
  expect((await linesOf('copy'))[0]).toMatchObject({ passages: given, result: told });
  await cli.ok(['runs', 'verify', 'copy']);

  const shown = await cli.ok(['show', 'own', 'sky']);
  expect(shown.stdout).toMatch(/1\. Sky; 2\. doc-7; 3\. Hedge/);
});
