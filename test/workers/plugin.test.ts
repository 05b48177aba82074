/** The plugin in a worker that somebody else makes. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { expect, inject, it, onTestFinished } from 'vitest';
import { createClient } from '../../client/create-client.js';
import { codecOf } from '../../examples/codec/codec.js';
import type { Retriever } from '../../retrieval/retriever.js';
import { durableRag } from '../../workers/durable-rag.js';
import type { DurableRagOptions } from '../../workers/worker-options.js';
import { defineMethod, type OwnMethod, unanswered } from '../../workflows/declare.js';
import '../support/quiet-runtime.js';
import { temporaryFolder } from '../support/folder.js';
import { modelThatSays } from '../support/saying.js';

const model = modelThatSays(
  ({ request }) => ({ text: 'Paris', servedModel: request.model }),
  'mine',
);

const atlas: Retriever = {
  search: async (query, k) => [{ id: 'p1', title: query, score: 1 }].slice(0, k),
  get: async (ids) => ids.map((id) => ({ id, title: 'France', text: 'Its capital is Paris.' })),
};

const MINE = `
const hidden = { name: 'secondLook', label: () => '' };
const algorithm = ({ ask }) => ask(hidden, { question: 'Why?' });
export const mine = {
  module: import.meta.url, name: 'mine', title: 'Mine', algorithm,
  options: { safeParse: () => ({ success: true, data: {} }) },
};
`;

/** A worker with the plugin, on a task queue of its own, until the test ends. */
async function start(options: DurableRagOptions, own: object = {}) {
  const address = inject('temporalAddress');
  const home = await temporaryFolder();
  const taskQueue = `test-${randomUUID()}`;
  const [connection, native] = await Promise.all([
    Connection.connect({ address }),
    NativeConnection.connect({ address }),
  ]);
  const worker = await Worker.create({
    connection: native,
    taskQueue,
    ...own,
    plugins: [durableRag({ env: { DURABLE_RAG_HOME: home }, ...options })],
  });
  const run = worker.run();
  onTestFinished(async () => {
    worker.shutdown();
    await run;
    await native.close();
    await connection.close();
  });
  const codec = options.codec && { codec: options.codec };
  const client = await createClient({ connection, taskQueue, ...codec });
  return { client, connection, taskQueue };
}

it('answers with a model and a retriever that are handed in', async () => {
  const { client } = await start({ model, defaultModel: 'mine-1', corpora: { atlas } });
  const { outcome, answer, evidence, steps } = await client.ask('base', {
    question: 'What is the capital of France?',
    retrieval: { corpus: 'atlas' },
  });
  expect({ outcome, answer, evidence }).toEqual({
    outcome: 'answered',
    answer: 'Paris',
    evidence: ['p1'],
  });
  expect(steps.read?.models).toEqual(['mine-1']);
});

it('keeps what Temporal stores behind a codec that workers and clients share', async () => {
  const codec = [codecOf('a secret')];
  const parts = { model, defaultModel: 'mine-1', corpora: { atlas }, codec };
  const { client, connection } = await start(parts);
  const question = 'What is the capital of France?';
  const { answer, workflowId } = await client.ask('base', {
    question,
    retrieval: { corpus: 'atlas' },
  });
  expect(answer).toBe('Paris');
  const history = await new Client({ connection }).workflow.getHandle(workflowId).fetchHistory();
  const started = history.events?.[0]?.workflowExecutionStartedEventAttributes?.input;
  const [payload] = started?.payloads ?? [];
  expect(Buffer.from(payload?.metadata?.encoding ?? []).toString()).toBe('binary/example');
  expect(Buffer.from(payload?.data ?? []).toString()).not.toContain('capital');
});

it('leaves the activities and workflows of the worker in place', async () => {
  const folder = await mkdtemp(join(process.cwd(), 'test', 'workers', 'own-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const workflowsPath = join(folder, 'workflows.ts');
  await writeFile(
    workflowsPath,
    `import { proxyActivities } from '@temporalio/workflow';
export * from '../../../dist/workflows/entry.js';
const { greet } = proxyActivities({ startToCloseTimeout: '5s' });
export const greeting = (name) => greet(name);
import { base } from '../../../dist/workflows/entry.js';
const own = {};
export const shared = () => ({ ours: Object.isFrozen(base), own: Object.isFrozen(own) });
`,
  );
  const { client, connection, taskQueue } = await start(
    { model, defaultModel: 'mine-1', corpora: { atlas } },
    { workflowsPath, activities: { greet: async (name: string) => `Hello, ${name}!` } },
  );
  const { workflow } = new Client({ connection });
  const own = workflow.execute('greeting', { workflowId: taskQueue, taskQueue, args: ['Ada'] });
  const asked = client.ask('base', { question: 'Capital?', retrieval: { corpus: 'atlas' } });
  await expect(own).resolves.toBe('Hello, Ada!');
  await expect(asked).resolves.toMatchObject({ answer: 'Paris' });
  // What is loaded once for all workflows is frozen: our modules, and not those of the worker's own.
  const workflowId = `${taskQueue}-shared`;
  const shared = await workflow.execute('shared', { workflowId, taskQueue });
  expect(shared).toEqual({ ours: true, own: false });
});

it('refuses a method that does not say where it is, or is not exported there', async () => {
  const answer = async () => unanswered('unknown', [], null);
  const parts = (module?: string) => {
    const mine = defineMethod({ module, name: 'mine', options: {}, algorithm: answer });
    return { model, defaultModel: 'mine-1', methods: [mine] };
  };
  await expect(start(parts())).rejects.toThrow('declare it with module: import.meta.url');
  const module = join(await temporaryFolder(), 'mine.js');
  await expect(start(parts(module))).rejects.toThrow(`the module ${module} of "mine" cannot be`);
  await writeFile(module, 'export const mine = 1;\n');
  await expect(start(parts(module))).rejects.toThrow('mine.js exports no method "mine"');
});

it('refuses a method that asks a step which its module neither exports nor imports', async () => {
  const module = join(await temporaryFolder(), 'mine.mjs');
  await writeFile(module, MINE);
  const { mine } = (await import(pathToFileURL(module).href)) as { mine: OwnMethod<unknown> };
  const parts = { model, defaultModel: 'mine-1', methods: [mine] };
  await expect(start(parts)).rejects.toThrow(
    'asks a step "secondLook", which is neither a shipped step',
  );
});
