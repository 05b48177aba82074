/**
 * The batch endpoint over the real `openai` client. How batches and their lines end is tested where
 * somebody waits for them: test/activities/provider-batches/endings.test.ts.
 */
import { expect, onTestFinished, test } from 'vitest';
import { mergeRefused } from '../../llm/batch-endpoint.js';
import { createOpenAiModel } from '../../llm/openai/openai-model.js';
import { batchEndpointContract } from '../../testing/batch-endpoint-contract.js';
import { type BatchServerOptions, startBatchServer } from '../support/batch-server.js';
import { never, requestOf } from '../support/completion.js';
import { allOf, holdsTo } from '../support/contract.js';

const KEY = 'sk-of-batches-0123456789';
const half = { prompt: 1, cachedPrompt: 1, completion: 2 };
const prices = new Map([['m', { prompt: 2, cachedPrompt: 1, completion: 4, batch: half }]]);

async function endpoint(options: Partial<BatchServerOptions> = {}) {
  const opened = await startBatchServer({
    reply: ({ messages }) => ({ text: `to ${messages[0]?.content}` }),
    durationMs: 200,
    ...options,
  });
  const { baseUrl } = opened;
  const { batches } = createOpenAiModel({ apiKey: KEY, baseUrl, timeoutMs: 10_000, prices });
  onTestFinished(() => opened.close());
  return { batches, server: opened };
}

holdsTo(
  batchEndpointContract({
    secrets: [KEY],
    async open() {
      const { batches, server: opened } = await endpoint();
      return { batches, close: () => opened.close() };
    },
  }),
);

const request = (content: string) => requestOf(content, { tier: 'flex' });

/** Asks so many lines in one batch, and lets it end. */
async function ended(lines: number, options: Partial<BatchServerOptions>) {
  const { batches, server } = await endpoint(options);
  const text = Array.from({ length: lines }, (_, i) => batches.line(`${i}`, request('x'), []));
  const file = await batches.upload(`${text.join('\n')}\n`, never());
  const { id } = await batches.create({ file, mark: 'mark' }, never());
  server.advance(1000);
  const { output } = await batches.retrieve(id, never());
  const said = allOf(batches.download(output ?? '', never()));
  return { batches, said, made: server.batches[0] };
}

test('a batch costs what a batch costs, and asks for no tier of its own', async () => {
  const { batches, said, made } = await ended(1, {
    reply: () => ({ text: 'x', usage: { prompt_tokens: 1e6, completion_tokens: 1e6 } }),
  });
  expect(made?.lines[0]?.body).not.toHaveProperty('service_tier');
  expect((await said).map((line) => batches.read(line, 'm'))).toMatchObject([
    { completion: { costUsd: 3, tier: { served: 'batch', standardUsd: 6 } } },
  ]);
});

test('a connection that breaks is a failure that can be tried again', async () => {
  const { said } = await ended(50, { batch: () => 'breaks' });
  await expect(said).rejects.toMatchObject({ name: 'Failure', retryable: true });
});

test('a line that took too long has timed out', async () => {
  const { batches } = await endpoint();
  const line = JSON.stringify({ custom_id: 'a', error: { code: 'request_timeout' } });
  expect(batches.read(line, 'm')).toMatchObject({ id: 'a', failure: { type: 'Timeout' } });
});

test('a 404 is of the endpoint, and not of a model', async () => {
  const body = { error: { message: 'no such route' } };
  const { batches } = await endpoint({ trouble: () => ({ status: 404, body }) });
  const asked = [
    batches.upload('{}\n', never()),
    batches.create({ file: 'file-1', mark: 'mark' }, never()),
    batches.find('mark', never()),
    batches.retrieve('batch-1', never()),
  ];
  for (const failed of await Promise.allSettled(asked)) {
    const { reason } = failed as PromiseRejectedResult;
    expect(reason).toMatchObject({ type: 'Incompatible', retryable: false });
    expect(reason.message).toContain('has no /files and /batches, or knows no such batch or file');
    expect(reason.message).toMatch(/HTTP 404.*OPENAI_BASE_URL.*no such route/);
    expect(reason.message).not.toMatch(/no model/);
  }
});

test('a line has room for thoughts after nothing but thoughts, and not what was refused', async () => {
  const { batches } = await endpoint();
  const bodyOf = (change: object, ...[refused = []]: Parameters<typeof batches.line>[2][]) =>
    JSON.parse(batches.line('a', { ...request('x'), ...change }, refused)).body;
  expect(bodyOf({ thinks: true }).max_tokens).toBe(bodyOf({}).max_tokens + 8192);
  const body = bodyOf({}, ['temperature', 'max_tokens']);
  expect(body).not.toHaveProperty('temperature');
  expect(body).toHaveProperty('max_completion_tokens');
  expect(bodyOf({ extraBody: { top_k: 3 } })).toEqual({ ...bodyOf({}), top_k: 3 });
  expect(bodyOf({ thinks: true }, [{ most: 700 }]).max_tokens).toBe(700);
});

test('a refused limit is told by what was asked, once that is at hand', async () => {
  const { batches } = await endpoint();
  const said = { error: { message: 'max_tokens is too large: the range is [1, 4096]' } };
  const line = JSON.stringify({ custom_id: 'a', response: { status_code: 400, body: said } });
  expect(batches.read(line, 'm')).toMatchObject({ failure: { type: 'BadRequest' } });
  const sent = { request: { ...request('x'), thinks: true as const }, without: [] };
  expect(batches.read(line, 'm', sent)).toMatchObject({
    failure: { type: 'ParameterRefused' },
    refused: { most: 4096 },
  });
  expect(mergeRefused(['seed', { most: 700 }], [{ most: 300 }, 'seed', 'stop'])).toEqual([
    'seed',
    'stop',
    { most: 300 },
  ]);
});

test('a mark is found behind a hundred others', async () => {
  const { batches, server } = await endpoint();
  const file = await batches.upload(`${batches.line('a', request('x'), [])}\n`, never());
  for (let n = 0; n < 110; n++) await batches.create({ file, mark: `mark-${n}` }, never());
  expect((await batches.find('mark-3', never()))?.id).toBe(server.batches[3]?.id);
});
