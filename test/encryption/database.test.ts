/** A thief of the disk: no word of a question in what Temporal and the store keep, with keys. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../client/create-client.js';
import { openDatasets } from '../../client/open-datasets.js';
import { openStore } from '../../stores/open-store.js';
import { freePort } from '../../temporal-dev/tcp-ports.js';
import { startTemporalServer } from '../../temporal-dev/temporal-server.js';
import { runWorker } from '../../workers/run-worker.js';
import { startModelServer } from '../support/model-server.js';
import { promptOf } from '../support/telephone.js';
import { temporalBinary } from '../support/temporal-binary.js';
import '../support/quiet-runtime.js';
import { temporaryFolder } from '../support/folder.js';

/** Words of what must not be found, each where another part of the work says it. */
const WORDS = {
  question: 'quillfeather',
  passage: 'marblewort',
  answer: 'thistledown',
  refusal: 'bramblegate',
  dataset: 'copperleaf',
  memo: 'saffronmere',
} as const;

/** What Temporal needs in clear to find and to show work: docs/security.md names it. */
const CLEAR = { file: 'brackenholt', id: 'dewberry', run: 'larkspur' } as const;

test('no word of a question is on the disk, where there are keys', async () => {
  const DURABLE_RAG_ENCRYPTION_KEYS = `k1:${randomBytes(32).toString('base64')}`;
  const folder = await temporaryFolder();
  const home = join(folder, 'home');
  const temporal = await startTemporalServer({
    binary: await temporalBinary(),
    port: await freePort(),
    uiPort: null,
    dbFilename: join(folder, 'temporal', 'db'),
    logFile: join(folder, 'temporal.log'),
  });
  onTestFinished(() => temporal.stop());
  const server = await startModelServer({
    reply: (request) =>
      promptOf(request).includes('fails')
        ? { status: 400, body: { error: { message: `refused: ${WORDS.refusal}` } } }
        : { text: WORDS.answer },
  });
  onTestFinished(() => server.close());
  const settings = { DURABLE_RAG_HOME: home, DURABLE_RAG_ENCRYPTION_KEYS };
  const worker = await runWorker({
    connect: { address: temporal.address },
    namespace: 'default',
    env: { ...settings, OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'sk-key' },
    warn: () => {},
  });
  const connection = await Connection.connect({ address: temporal.address });
  const clientWith = (encryptionKeys: string) =>
    createClient({ connection, taskQueue: worker.taskQueue, encryptionKeys });
  const client = await clientWith(DURABLE_RAG_ENCRYPTION_KEYS);

  const retrieval = { passages: [{ title: WORDS.passage, text: `${WORDS.passage} grows.` }] };
  const asked = await client.ask('sure', { question: `Where is ${WORDS.question}?`, retrieval });
  expect(asked.answer).toContain(WORDS.answer);
  const { workflowId } = asked;
  const keyless = (await clientWith('')).ask('sure', { question: 'The same?' }, { workflowId });
  await expect(keyless).rejects.toThrow('set DURABLE_RAG_ENCRYPTION_KEYS');
  const failed = await client.ask('base', { question: 'What fails?', retrieval });
  expect(failed.failure?.message).toContain(WORDS.refusal);
  const line = { id: CLEAR.id, question: `Is ${WORDS.dataset} red?`, answers: ['yes'] };
  const file = join(folder, `${CLEAR.file}.jsonl`);
  await writeFile(file, JSON.stringify({ ...line, passages: [{ text: 'It is.' }] }));
  const datasets = await openDatasets(settings);
  const { dataset } = await datasets.put(file);
  await datasets.close();
  const run = await client.startRun({
    run: CLEAR.run,
    method: 'base',
    dataset,
    models: { default: WORDS.memo },
  });
  expect((await run.result()).done).toBe(1);
  expect((await client.listRuns()).map(({ run: name }) => name)).toEqual([CLEAR.run]);
  await worker.stop();
  await connection.close();
  await temporal.stop();

  // Neither disk is packed: what is written in clear is found.
  const store = await openStore(join(home, 'store'), 'main');
  await store.set('key', 'hazelmoor');
  await store.close();
  const kept = await everything(join(home, 'store'));
  expect(kept).toContain('hazelmoor');
  const served = await everything(join(folder, 'temporal'));
  for (const clear of ['binary/encrypted', ...Object.values(CLEAR)]) {
    expect(served).toContain(clear);
  }
  const found = (text: string) => Object.values(WORDS).filter((word) => text.includes(word));
  expect([found(served), found(kept)]).toEqual([[], []]);
});

async function everything(folder: string): Promise<string> {
  const names = await readdir(folder);
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')));
  return contents.join('\n');
}
