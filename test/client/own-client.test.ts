/** A Temporal client of one's own, used as it is, and questions that were started elsewhere. */
import { randomBytes, randomUUID } from 'node:crypto';
import { Context } from '@temporalio/activity';
import {
  Client,
  type ClientOptions,
  Connection,
  type WorkflowClientInterceptor,
} from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { NativeConnection, Worker } from '@temporalio/worker';
import { afterEach, expect, inject, it, onTestFinished, vi } from 'vitest';
import { tenantCalls } from '../../activities/runtime/tenant-calls.js';
import { createClient, payloadCodecs } from '../../client/index.js';
import { codecOf } from '../../examples/codec/codec.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { tenantAccounts } from '../../stores/tenant-accounts.js';
import { durableRag } from '../../workers/durable-rag.js';
import { temporaryFolder } from '../support/folder.js';
import { sharedHarness } from '../support/harness.js';
import { soon } from '../support/run.js';
import { modelThatSays } from '../support/saying.js';
import '../support/quiet-runtime.js';

afterEach(() => vi.unstubAllEnvs());

const KEYS = `k1:${randomBytes(32).toString('base64')}`;
const retrieval = { passages: [{ title: 'Heron', text: 'A heron waits for fish.' }] };
const llm = modelThatSays(() => 'fish');

async function connect(): Promise<Connection> {
  const connection = await Connection.connect({ address: inject('temporalAddress') });
  onTestFinished(() => connection.close());
  return connection;
}

async function ownClient(options: ClientOptions = {}): Promise<Client> {
  return new Client({ connection: await connect(), ...options });
}

it('starts and follows through the interceptors of the client, and leaves its connection open', async () => {
  const { taskQueue, id } = await sharedHarness(llm);
  const seen: string[] = [];
  const interceptor: WorkflowClientInterceptor = {
    startWithDetails(input, next) {
      seen.push(`${input.workflowType} ${input.options.workflowId}`);
      return next({ ...input, options: { ...input.options, memo: { request: 'r-7' } } });
    },
  };
  const own = await ownClient({ interceptors: { workflow: [interceptor] } });
  const client = await createClient({ client: own, taskQueue });
  const workflowId = `${id}/heron`;
  const input = { question: 'What does a heron wait for?', retrieval };
  const { answer } = await client.ask('base', input, { workflowId });
  expect(answer).toBe('fish');
  expect(seen).toEqual([`base ${workflowId}`]);
  await client.close();
  const { memo } = await own.workflow.getHandle(workflowId).describe();
  expect(memo).toEqual({ request: 'r-7' });
});

it('works in the namespace of the client, and with its data converter', async () => {
  const namespace = `own-${randomUUID()}`;
  const connection = await connect();
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  const codec = [codecOf('of this program')];
  const address = inject('temporalAddress');
  const native = await NativeConnection.connect({ address });
  const taskQueue = `test-${randomUUID()}`;
  const env = { DURABLE_RAG_HOME: await temporaryFolder() };
  const worker = await Worker.create({
    connection: native,
    namespace,
    taskQueue,
    plugins: [durableRag({ env, model: llm, defaultModel: 'mine-1', codec })],
  });
  // Keys of the environment are for the store of the worker: a codec goes before them.
  vi.stubEnv('DURABLE_RAG_ENCRYPTION_KEYS', KEYS);
  const dataConverter = { payloadCodecs: codec };
  const own = new Client({ connection, namespace, dataConverter });
  const client = await createClient({ client: own, taskQueue });
  // The server takes a moment to know of a new namespace.
  const question = await soon(() => client.start('base', { question: 'What waits?', retrieval }));
  const { answer } = await worker.runUntil(question.result());
  await native.close();
  expect(answer).toBe('fish');
  // No word of what is encrypted stands in the id.
  expect(question.workflowId).toMatch(/^ask-base-[0-9a-f]+$/);
  const { events } = await own.workflow.getHandle(question.workflowId).fetchHistory();
  const [sent] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  expect(Buffer.from(sent?.metadata?.encoding ?? []).toString()).toBe('binary/example');
});

it.each([
  [{ namespace: 'mine' }, /so namespace cannot be combined with it/],
  [{ codec: [codecOf('a')], encryptionKeys: KEYS }, /so codec and encryptionKeys cannot/],
  [{ connect: {} }, /so connect cannot be combined with it/],
])('refuses what the client says by itself, as %o', async (options, message) => {
  const refused = createClient({ client: await ownClient(), ...options });
  await expect(refused).rejects.toMatchObject({ type: 'BadInput', message });
});

it('sends nothing in clear where the environment has keys', async () => {
  vi.stubEnv('DURABLE_RAG_ENCRYPTION_KEYS', KEYS);
  await expect(createClient({ client: await ownClient() })).rejects.toMatchObject({
    type: 'BadInput',
    message: expect.stringContaining('payloadCodecs: payloadCodecs()'),
  });
  const own = await ownClient({ dataConverter: { payloadCodecs: payloadCodecs() } });
  const client = await createClient({ client: own, taskQueue: `test-${randomUUID()}` });
  const { workflowId } = await client.start('base', { question: 'Which heron?' });
  const handle = own.workflow.getHandle(workflowId);
  const { events } = await handle.fetchHistory();
  const [sent] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  expect(Buffer.from(sent?.metadata?.encoding ?? []).toString()).toBe('binary/encrypted');
  // The question is read from there, by who has the key.
  await handle.terminate();
  const { question, failure } = await (await client.getHandle(workflowId)).result();
  expect({ question, type: failure?.type }).toEqual({
    question: 'Which heron?',
    type: 'Terminated',
  });
  const keyless = payloadCodecs('');
  const other = await ownClient({ dataConverter: { payloadCodecs: keyless } });
  vi.stubEnv('DURABLE_RAG_ENCRYPTION_KEYS', undefined);
  const blind = await (await createClient({ client: other })).getHandle(workflowId);
  await expect(blind.result()).rejects.toThrow('set DURABLE_RAG_ENCRYPTION_KEYS');
});

it.each([
  [undefined, { priorityKey: 1 }],
  [
    { fairnessKey: 'tenant-b', fairnessWeight: 2 },
    { priorityKey: 1, fairnessKey: 'tenant-b', fairnessWeight: 2 },
  ],
  [
    { priorityKey: 4, fairnessKey: 'tenant-c' },
    { priorityKey: 4, fairnessKey: 'tenant-c' },
  ],
])('gives the calls of a question the priority %o', async (priority, ofLast) => {
  const seen: unknown[] = [];
  const model = modelThatSays(() => {
    seen.push(Context.current().info.priority);
    return 'fish';
  });
  const { client, id } = await sharedHarness(model);
  const input = { question: `What waits, ${id}?` };
  await client.ask('genread', input, { workflowId: `${id}/first`, ...(priority && { priority }) });
  expect(seen.length).toBeGreaterThan(1);
  expect(seen.at(-1)).toMatchObject(ofLast);
});

it('asks on behalf of tenants: each pays, and has its share, by its terms', async () => {
  const prompts: string[] = [];
  const seen: unknown[] = [];
  const model = modelThatSays(async ({ prompt }) => {
    prompts.push(prompt);
    seen.push(Context.current().info.priority);
    return { text: 'fish', costUsd: 0.01 };
  });
  const accounts = tenantAccounts(new MemoryStore());
  const terms = { acme: { budgetUsdPerDay: 0.02 }, zeta: { weight: 3 } };
  const changes = { tenants: tenantCalls(accounts, terms) };
  const { client, connection, taskQueue, id } = await sharedHarness(model, changes);
  const other = await createClient({ connection, taskQueue });
  const ask = (from: typeof client, n: number, tenant?: string) => {
    const question = { question: `What waits, ${n} of ${id}?`, options: { passages: 0 } };
    return from.ask('base', question, tenant === undefined ? {} : { tenant });
  };
  // One after the other, so that nothing is under way when the budget is spent.
  for (const n of [1, 2]) expect(await ask(client, n, 'acme')).toMatchObject({ answer: 'fish' });
  const refused = await Promise.all([ask(client, 3, 'acme'), ask(other, 4, 'acme')]);
  for (const { outcome, failure } of refused) {
    expect({ outcome, failure }).toEqual({
      outcome: 'failed',
      failure: {
        type: 'TenantBudget',
        message: expect.stringContaining('acme may spend $0.02 a day'),
        step: 'read',
      },
    });
  }
  const [zeta, nobody] = await Promise.all([ask(other, 5, 'zeta'), ask(other, 5)]);
  expect([zeta.answer, nobody.answer]).toEqual(['fish', 'fish']);
  // It is another question, with the same prompt: one of both pays.
  expect(zeta.workflowId).not.toBe(nobody.workflowId);
  expect(prompts).toHaveLength(3);
  expect(prompts.join()).not.toMatch(/acme|zeta/);
  expect(seen[0]).toMatchObject({ priorityKey: 1, fairnessKey: 'acme' });
  const { typedSearchAttributes: attributes } = await new Client({ connection }).workflow
    .getHandle(zeta.workflowId)
    .describe();
  expect(attributes.getAll()).toContainEqual({
    key: { name: 'QaTenant', type: 'KEYWORD' },
    value: 'zeta',
  });
  expect(await accounts.today('acme')).toMatchObject({ calls: 2, costUsd: 0.02 });
  await accounts.close();
  expect(await accounts.today('zeta')).toMatchObject({ calls: 1 });

  const twice = { question: 'Who?', labels: { tenant: 'zeta' } };
  await expect(client.ask('base', twice, { tenant: 'acme' })).rejects.toThrow(
    'labels.tenant: is zeta, but the tenant of the options is acme',
  );
  await expect(client.ask('base', { question: 'Who?' }, { tenant: "o'n" })).rejects.toThrow(
    'labels.tenant: must be letters, digits',
  );
});

it('finds a question that was started elsewhere, and says what is none', async () => {
  const { client, connection, taskQueue, id } = await sharedHarness(llm);
  const workflowId = `${id}/elsewhere`;
  const asked = { question: 'What does a heron wait for?', retrieval };
  const { workflow } = new Client({ connection });
  await workflow.start('base', { workflowId, taskQueue, args: [asked] });
  const found = await client.getHandle(workflowId);
  expect(found.workflowId).toBe(workflowId);
  const { answer, method, question } = await found.result();
  expect({ answer, method, question }).toEqual({
    answer: 'fish',
    method: 'base',
    question: asked.question,
  });

  await expect(client.getHandle(`${id}/nobody`)).rejects.toMatchObject({
    type: 'BadInput',
    message: `Temporal has no question "${id}/nobody" in its namespace default: none was started there, or it ended longer ago than the namespace keeps workflows.`,
  });
  await workflow.start('ownMethod', { workflowId: `${id}/own`, taskQueue: id, args: [asked] });
  const own = client.getHandle(`${id}/own`);
  await expect(own).rejects.toThrow(/its workflow is ownMethod\. .* methods: \['ownMethod'\]\.$/);
  const knowing = await createClient({ connection, methods: ['ownMethod'] });
  const stopped = await knowing.getHandle(`${id}/own`);
  await workflow.getHandle(`${id}/own`).terminate();
  expect(await stopped.result()).toMatchObject({ method: 'ownMethod', question: asked.question });
});
