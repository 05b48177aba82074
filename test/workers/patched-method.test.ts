/** A method that runs another one, and is changed under a patch while a question is under way. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { expect, inject, it, onTestFinished } from 'vitest';
import { createClient } from '../../client/create-client.js';
import { durableRag } from '../../workers/durable-rag.js';
import type { OwnMethod } from '../../workflows/define-method.js';
import '../support/quiet-runtime.js';
import { temporaryFolder } from '../support/folder.js';
import { gate } from '../support/run.js';
import { modelThatSays } from '../support/saying.js';

/** The first version ends with what base says; the second asks once more. */
const version = (isTwice: string) => `
import { base, defineMethod, passageCount } from '../../../dist/workflows/declare.js';
export const thorough = defineMethod({
  module: import.meta.url,
  name: 'thorough',
  options: { passages: passageCount.default(1) },
  async algorithm(asked) {
    const before = ${isTwice};
    const first = await asked.run(base, { passages: asked.options.passages });
    // Asked again where nothing is replayed any more, as in a later round of a loop.
    const isTwice = ${isTwice};
    if (before !== isTwice) throw new Error('It is one question of two versions.');
    if (!isTwice) return { ...first, chain: { asked: 1, inner: first.chain } };
    const second = await asked.run(base, { passages: 1 }, 'Is it ' + first.answer + '?');
    return { ...second, chain: { asked: 2, inner: second.chain } };
  },
});
`;
const retrieval = { passages: [{ title: 'France', text: 'Its capital is Paris.' }] };

it('keeps a question under way on the old branch, and takes new ones to the new one', async () => {
  const folder = await mkdtemp(join(process.cwd(), 'test', 'workers', 'own-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const module = join(folder, 'thorough.mjs');
  await writeFile(module, version('false'));
  const { thorough } = (await import(pathToFileURL(module).href)) as {
    thorough: OwnMethod<unknown>;
  };
  const isAsked = gate();
  const mayAnswer = gate();
  const model = modelThatSays(async ({ prompt, signal }) => {
    if (!prompt.includes('under way')) return 'Paris';
    isAsked.open();
    const isAborted = new Promise((_, fail) =>
      signal.addEventListener('abort', () => fail(signal.reason)),
    );
    await Promise.race([mayAnswer.opened, isAborted]);
    return 'Lyon';
  });
  const address = inject('temporalAddress');
  const taskQueue = `test-${randomUUID()}`;
  const home = await temporaryFolder();
  const [connection, native] = await Promise.all([
    Connection.connect({ address }),
    NativeConnection.connect({ address }),
  ]);
  const work = async () => {
    const parts = { model, defaultModel: 'mine-1', methods: [thorough] };
    // The call that is held ends with its worker, and is made again by the next one.
    const options = { ...parts, limits: { graceSeconds: 1 } };
    const worker = await Worker.create({
      connection: native,
      taskQueue,
      plugins: [durableRag({ env: { DURABLE_RAG_HOME: home }, ...options })],
    });
    const run = worker.run();
    return async () => {
      worker.shutdown();
      await run;
    };
  };
  const stopOld = await work();
  const client = await createClient({ connection, taskQueue, methods: [thorough] });
  const asking = { question: 'What is under way?', retrieval };
  const underWay = await client.startNamed('thorough', asking);
  await isAsked.opened;
  await stopOld();

  await writeFile(module, version("asked.patched('ask twice')"));
  const stopNew = await work();
  mayAnswer.open();
  expect(await underWay.result()).toMatchObject({
    outcome: 'answered',
    answer: 'Lyon',
    chain: { asked: 1 },
    steps: { read: { calls: 1 } },
  });
  const next = { question: 'What is the capital?', retrieval };
  const after = await client.startNamed('thorough', next);
  expect(await after.result()).toMatchObject({
    answer: 'Paris',
    chain: { asked: 2 },
    steps: { read: { calls: 2 } },
  });
  await stopNew();
  await native.close();
  await connection.close();
});
