/** A thief of the disk: no word of a question in what Temporal and the store keep, with keys. */
import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../client/create-client.js';
import { openDatasets } from '../../client/open-datasets.js';
import { homeFolder } from '../../stores/home.js';
import { freePort } from '../../temporal-dev/ports.js';
import { obtainTemporalBinary, startTemporalServer } from '../../temporal-dev/temporal-server.js';
import { runWorker } from '../../workers/run-worker.js';
import { startModelServer } from '../support/model-server.js';
import { quietReporter } from '../support/quiet-reporter.js';
import { promptOf } from '../support/telephone.js';
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

let binary: string;
beforeAll(async () => {
  const context = { home: homeFolder(process.env), env: process.env, reporter: quietReporter };
  binary = (await obtainTemporalBinary(context)).path;
});

/** Asks, fails and evaluates on a server of its own; gives all that is on its disk afterwards. */
async function disk(env: Record<string, string>): Promise<{ temporal: string; store: string }> {
  const folder = await temporaryFolder();
  const home = join(folder, 'home');
  const dbFilename = join(folder, 'temporal', 'db');
  const temporal = await startTemporalServer({
    ...{ binary, dbFilename, port: await freePort(), uiPort: null },
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
  const worker = await runWorker({
    connect: { address: temporal.address },
    namespace: 'default',
    env: {
      ...{ DURABLE_RAG_HOME: home, OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: 'sk-key' },
      ...env,
    },
    warn: () => {},
  });
  const connection = await Connection.connect({ address: temporal.address });
  const encryptionKeys = env.DURABLE_RAG_ENCRYPTION_KEYS ?? '';
  const client = await createClient({ connection, taskQueue: worker.taskQueue, encryptionKeys });

  const retrieval = { passages: [{ title: WORDS.passage, text: `${WORDS.passage} grows.` }] };
  const asked = await client.ask('sure', { question: `Where is ${WORDS.question}?`, retrieval });
  expect(asked.answer).toContain(WORDS.answer);
  const keyless = await createClient({
    connection,
    taskQueue: worker.taskQueue,
    encryptionKeys: '',
  });
  const { workflowId } = asked;
  const read = keyless.ask('sure', { question: 'The same?' }, { workflowId });
  const said = await read.then(({ answer }) => answer, String);
  expect(said).toContain(encryptionKeys ? 'set DURABLE_RAG_ENCRYPTION_KEYS' : WORDS.answer);
  const failed = await client.ask('base', { question: 'What fails?', retrieval });
  expect(failed.failure?.message).toContain(WORDS.refusal);
  const line = { id: CLEAR.id, question: `Is ${WORDS.dataset} red?`, answers: ['yes'] };
  const file = join(folder, `${CLEAR.file}.jsonl`);
  await writeFile(file, JSON.stringify({ ...line, passages: [{ text: 'It is.' }] }));
  const datasets = await openDatasets({ DURABLE_RAG_HOME: home, ...env });
  const { dataset } = await datasets.put(file);
  await datasets.close();
  const run = await client.startRun({
    ...{ run: CLEAR.run, method: 'base', dataset },
    models: { default: WORDS.memo },
  });
  expect((await run.result()).done).toBe(1);
  expect((await client.listRuns()).map(({ run: name }) => name)).toEqual([CLEAR.run]);

  await worker.stop();
  await connection.close();
  await temporal.stop();
  return {
    temporal: await everything(join(folder, 'temporal')),
    store: await everything(join(home, 'store')),
  };
}

async function everything(folder: string): Promise<string> {
  const names = await readdir(folder);
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')));
  return contents.join('\n');
}

const found = (text: string) =>
  Object.entries(WORDS).flatMap(([what, word]) => (text.includes(word) ? [what] : []));

test('without keys the words of a question are on the disk', async () => {
  const { temporal, store } = await disk({});
  expect(found(temporal)).toEqual(Object.keys(WORDS));
  expect(found(store)).toEqual(expect.arrayContaining(['passage', 'answer']));
});

test('with keys none of them is', async () => {
  const key = randomBytes(32).toString('base64');
  const { temporal, store } = await disk({ DURABLE_RAG_ENCRYPTION_KEYS: `k1:${key}` });
  expect(temporal).toContain('binary/encrypted');
  expect(found(temporal)).toEqual([]);
  expect(found(store)).toEqual([]);
  for (const word of Object.values(CLEAR)) expect(temporal).toContain(word);
});
