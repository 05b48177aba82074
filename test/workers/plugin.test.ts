/** The plugin in a worker that somebody else makes. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { expect, inject, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createClient } from '../../client/create-client.js';
import { codecOf } from '../../examples/codec/codec.js';
import type { Retriever } from '../../retrieval/retriever.js';
import { durableRag } from '../../workers/durable-rag.js';
import type { DurableRagOptions } from '../../workers/options.js';
import { defineMethod, defineStep, shortAnswer } from '../../workflows/declare.js';
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
export * from '../../../dist/workflows/index.js';
const { greet } = proxyActivities({ startToCloseTimeout: '5s' });
export const greeting = (name) => greet(name);
`,
  );
  const { client, connection, taskQueue } = await start(
    { model, defaultModel: 'mine-1', corpora: { atlas } },
    { workflowsPath, activities: { greet: async (name: string) => `Hello, ${name}!` } },
  );
  const own = new Client({ connection }).workflow.execute('greeting', {
    workflowId: taskQueue,
    taskQueue,
    args: ['Ada'],
  });
  const asked = client.ask('base', { question: 'Capital?', retrieval: { corpus: 'atlas' } });
  await expect(own).resolves.toBe('Hello, Ada!');
  await expect(asked).resolves.toMatchObject({ answer: 'Paris' });
});

it('refuses a method whose workflow is nowhere', async () => {
  const options = z.strictObject({});
  const method = defineMethod({
    ...{ name: 'mine', title: 'Mine', options, steps: ['read'] },
    ...{ callsFormula: '1', calls: () => 1 },
  });
  const parts = { model, defaultModel: 'mine-1', methods: [method] };
  await expect(start(parts)).rejects.toThrow('"mine" has no workflow here');
  const both = { ...parts, workflows: './a.ts', workflowBundle: './a.js' };
  await expect(start(both)).rejects.toThrow('give one of them');
});

it('refuses a method whose step is forgotten, and names the one that was meant', async () => {
  const step = (name: string) =>
    defineStep<object, string>({
      ...{ name, prompt: { name: 'mine', text: 'Say so.' }, maxTokens: 8 },
      ...{ variables: () => ({}), output: shortAnswer(), fallback: () => '' },
    });
  const method = (...steps: string[]) =>
    defineMethod({ name: 'mine', title: 'Mine', options: z.strictObject({}), steps });
  const made = (steps: string[], own: string[]) =>
    start({ model, methods: [method(...steps)], steps: own.map(step), workflows: './w.ts' });
  await expect(made(['read', 'secondLook'], [])).rejects.toThrow(
    'steps: the method "mine" lists the step "secondLook", which is not among them',
  );
  await expect(made(['secondLok'], ['secondLook'])).rejects.toThrow('did you mean secondLook?');
  // With all of them it comes as far as the module, which is not there.
  await expect(made(['read', 'secondLook'], ['secondLook'])).rejects.toThrow('w.ts');
});
