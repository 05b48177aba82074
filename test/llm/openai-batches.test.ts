/** The batch endpoint over the real `openai` client, against a provider that misbehaves. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { BatchStatus } from '../../llm/batch-endpoint.js';
import { createOpenAiModel } from '../../llm/openai/openai-model.js';
import { batchEndpointContract } from '../../testing/batch-endpoint-contract.js';
import { type BatchServerOptions, startBatchServer } from '../support/batch-server.js';
import { never, requestOf } from '../support/completion.js';
import { holdsTo } from '../support/contract.js';

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

/** Asks so many lines in one batch and reads all that is said of them. */
async function asked(lines: number, options: Partial<BatchServerOptions>) {
  const { batches, server } = await endpoint(options);
  const text = Array.from({ length: lines }, (_, i) =>
    batches.line(`id-${i}`, request(`${i}`), []),
  );
  const file = await batches.upload(`${text.join('\n')}\n`, never());
  let status = await batches.create({ file, mark: 'mark' }, never());
  server.advance(1000);
  status = await batches.look(status.id, never());
  return { batches, status, said: await read(batches, status), made: server.batches[0] };
}

async function read(
  { download, read }: Awaited<ReturnType<typeof endpoint>>['batches'],
  status: BatchStatus,
) {
  const said: Record<string, unknown[]> = {};
  for (const file of [status.output, status.errors]) {
    if (file === null) continue;
    for await (const line of download(file, never())) {
      const answer = read(line, 'm');
      const what =
        answer === undefined
          ? 'unreadable'
          : 'completion' in answer
            ? answer.completion.text
            : 'failure' in answer
              ? answer.failure.type
              : answer.unasked;
      said[answer?.id ?? ''] = [...(said[answer?.id ?? ''] ?? []), what];
    }
  }
  return said;
}

test('a batch costs what a batch costs, and asks for no tier of its own', async () => {
  const { batches, status, made } = await asked(1, {
    reply: () => ({ text: 'x', usage: { prompt_tokens: 1e6, completion_tokens: 1e6 } }),
  });
  expect(made?.lines[0]?.body).not.toHaveProperty('service_tier');
  for await (const line of batches.download(status.output ?? '', never())) {
    expect(batches.read(line, 'm')).toMatchObject({
      completion: { costUsd: 3, tier: { served: 'batch', standardUsd: 6 } },
    });
  }
});

describe('endings', () => {
  test('every line failed: completed, and all is in the error file', async () => {
    const { status, said } = await asked(2, { batch: () => 'all-failed' });
    expect(status).toMatchObject({ state: 'completed', output: null });
    expect(said).toEqual({ 'id-0': ['Overloaded'], 'id-1': ['Overloaded'] });
  });

  test('expired: what was finished is there, the rest was not asked', async () => {
    const { status, said } = await asked(4, { batch: () => ({ expires: 0.5 }) });
    expect(status.state).toBe('expired');
    expect(said).toEqual({
      ...{ 'id-0': ['to 0'], 'id-1': ['to 1'] },
      ...{ 'id-2': ['batch_expired'], 'id-3': ['batch_expired'] },
    });
  });

  test.each([
    ['token-limit', 'token_limit_exceeded', null],
    ['invalid', 'invalid_json_line', 1],
  ] as const)('failed (%s): the provider says why, and where', async (fault, code, line) => {
    const { status } = await asked(1, { batch: () => fault });
    expect(status).toMatchObject({ state: 'failed', problems: [{ code, line }] });
  });

  test('a file that is cut ends in a line that cannot be read', async () => {
    const { said } = await asked(3, { batch: () => 'cut' });
    expect(said).toEqual({ 'id-0': ['to 0'], 'id-1': ['to 1'], '': ['unreadable'] });
  });

  test('a connection that breaks is a failure that can be tried again', async () => {
    const breaking = asked(50, { batch: () => 'breaks' });
    await expect(breaking).rejects.toMatchObject({ name: 'Failure', retryable: true });
  });
});

test('a 404 is of the endpoint, and not of a model', async () => {
  const body = { error: { message: 'no such route' } };
  const { batches } = await endpoint({ trouble: () => ({ status: 404, body }) });
  const asked = [
    batches.upload('{}\n', never()),
    batches.create({ file: 'file-1', mark: 'mark' }, never()),
    batches.find('mark', never()),
    batches.look('batch-1', never()),
  ];
  for (const failed of await Promise.allSettled(asked)) {
    const { reason } = failed as PromiseRejectedResult;
    expect(reason).toMatchObject({ type: 'Incompatible', retryable: false });
    expect(reason.message).toContain('has no /files and /batches, or knows no such batch or file');
    expect(reason.message).toMatch(/HTTP 404.*OPENAI_BASE_URL.*no such route/);
    expect(reason.message).not.toMatch(/no model/);
  }
});

test("a line's failure is that of the step by itself", async () => {
  const faults: Parameters<NonNullable<BatchServerOptions['line']>>[] = [];
  const { said } = await asked(5, {
    line(body, times) {
      faults.push([body, times]);
      const n = Number(body.messages[0]?.content);
      const of: Record<number, ReturnType<NonNullable<BatchServerOptions['line']>>> = {
        0: { status: 400, error: { code: 'context_length_exceeded', message: 'too long' } },
        1: { status: 429, error: { code: 'insufficient_quota', message: 'no credit' } },
        2: { status: 400, error: { param: 'temperature', message: 'Unsupported value' } },
        3: { code: 'request_timeout' },
        4: 'missing',
      };
      return of[n];
    },
  });
  expect(said).toEqual({
    ...{ 'id-0': ['ContextTooLong'], 'id-1': ['QuotaExhausted'] },
    ...{ 'id-2': ['ParameterRefused'], 'id-3': ['Timeout'] },
  });
});

test('a line has room for thoughts after nothing but thoughts, and not what was refused', async () => {
  const { batches } = await endpoint();
  const bodyOf = (change: object, ...[refused = []]: Parameters<typeof batches.line>[2][]) =>
    JSON.parse(batches.line('a', { ...request('x'), ...change }, refused)).body;
  expect(bodyOf({ thinks: true }).max_tokens).toBe(bodyOf({}).max_tokens + 8192);
  const body = bodyOf({}, ['temperature', 'max_tokens']);
  expect(body).not.toHaveProperty('temperature');
  expect(body).toHaveProperty('max_completion_tokens');
});

test('a batch whose answer got lost is found by its mark, and not made twice', async () => {
  const lostFirst = (n: number) => (n === 0 ? 'lost-answer' : undefined);
  const { batches, server } = await endpoint({ batch: lostFirst });
  const file = await batches.upload(`${batches.line('a', request('x'), [])}\n`, never());
  const lost = batches.create({ file, mark: 'mine' }, never());
  await expect(lost).rejects.toMatchObject({ type: 'Connection', retryable: true });
  expect(server.batches).toHaveLength(1);
  expect((await batches.find('mine', never()))?.id).toBe(server.batches[0]?.id);
});

test('a mark is found behind a hundred others', async () => {
  const { batches, server } = await endpoint();
  const file = await batches.upload(`${batches.line('a', request('x'), [])}\n`, never());
  for (let n = 0; n < 110; n++) await batches.create({ file, mark: `mark-${n}` }, never());
  expect((await batches.find('mark-3', never()))?.id).toBe(server.batches[3]?.id);
});
