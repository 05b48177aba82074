/** Questions and a corpus that are named by their addresses, from a flag to a comparison. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { commandLineOver } from '../../support/command-line.js';
import { startHub } from '../../support/hub.js';
import { jsonLines } from '../../support/json-lines.js';

const linesOf = (...records: object[]) =>
  Buffer.from(records.map((one) => `${JSON.stringify(one)}\n`).join(''));

const QUESTIONS = linesOf(
  { id: 'test_0', question: 'Which sea lies east of Britain?', golden_answers: ['North Sea'] },
  { id: 'test_1', question: 'Which sea lies south of Italy?', golden_answers: ['Ionian Sea'] },
);
const PASSAGES = linesOf(
  { id: 'a', contents: '"North Sea"\nThe North Sea lies east of Britain.' },
  { id: 'b', contents: '"Ionian Sea"\nThe Ionian Sea lies south of Italy.' },
);
const CORPUS = 'hf:ann/seas/corpus.jsonl.gz';

it('fetches what a flag names, once, and says from where', async () => {
  const hub = await startHub({
    'RUC-NLPIR/FlashRAG_datasets/nq/test.jsonl': { content: QUESTIONS },
    'ann/seas/corpus.jsonl.gz': { content: gzipSync(PASSAGES) },
  });
  const { cli, server } = await commandLineOver(() => ({ text: 'North Sea' }));
  const env = { HF_ENDPOINT: hub.url };
  const of = (method: string, ...more: string[]) => [
    'eval',
    '--method',
    method,
    '--dataset',
    'flashrag:nq/test',
    '--corpus',
    CORPUS,
    ...more,
  ];

  // What is wrong with the flags is said before anything is fetched.
  const wrong = await cli.run(of('base', '--candidates', '3'), env);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--candidates')]);
  expect(hub.asked).toEqual([]);
  const planned = await cli.run(of('base', '--dry-run'), env);
  expect(planned.code).toBe(6);
  expect(planned.stderr).toMatch(
    /Index it first: durable-rag index hf:ann\/seas\/.* --into corpus-/,
  );
  expect(hub.asked).toEqual([]);

  await cli.worker();
  await cli.ok(of('base', '--name', 'seas-base'), env);
  const asked = hub.asked.filter((line) => line.startsWith('store'));
  expect(asked).toHaveLength(2);
  await cli.ok(of('noRetrieval', '--name', 'seas-none'), env);
  // The hub may be gone by now.
  expect(hub.asked.filter((line) => line.startsWith('store'))).toEqual(asked);

  const manifest = JSON.parse(
    await readFile(join(cli.home, 'runs', 'seas-base', 'manifest.json'), 'utf8'),
  );
  expect(manifest.dataset).toMatchObject({
    questions: 2,
    source: { address: 'flashrag:nq/test', revision: '5f0a3c21b7', bytes: QUESTIONS.length },
  });
  expect(manifest.corpus).toMatchObject({ fetched: { address: CORPUS }, passages: 2 });
  const exported = jsonLines((await cli.ok(['export', 'seas-base'])).stdout);
  expect(exported).toContainEqual(
    expect.objectContaining({ id: 'test_1', outcome: 'answered', prediction: 'North Sea' }),
  );
  const compared = await cli.ok(['compare', 'seas-base', 'seas-none']);
  expect(compared.stdout).toMatch(/^EM +50\.0 .* 50\.0 /m);
  expect(server.requests).toHaveLength(4);
});
