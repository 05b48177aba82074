/** Contract tests for batch endpoints. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../core/failure.js';
import type { BatchAnswer, BatchEndpoint, BatchStatus } from '../llm/batch-endpoint.js';
import type { CompletionRequest } from '../llm/language-model.js';
import { type ContractCase, caseWith } from './contract-case.js';
import { assertNoSecret, never } from './provider-scenario.js';

/**
 * The options of `batchEndpointContract`: a function that opens the batch endpoint to be tested, a
 * model's name, and secrets that must not leak.
 */
export interface BatchEndpointParts {
  /**
   * Returns an endpoint whose batches end within seconds, with an answer to every line. `close` is
   * called after each case.
   */
  open(): Promise<{ batches: BatchEndpoint; close?(): void | Promise<void> }>;
  /** Name of a model of the provider. @default 'some-model' */
  model?: string;
  /** Keys and passwords of the endpoint, which must not appear in any result. */
  secrets?: readonly string[];
}

const WAIT_MS = 20_000;

/**
 * Returns an array of test cases, each with `name` and `run`, for a batch endpoint; each creates
 * its own batches.
 *
 * @example for (const { name, run } of batchEndpointContract({ open })) test(name, run);
 */
export function batchEndpointContract({
  open,
  model = 'some-model',
  secrets,
}: BatchEndpointParts): ContractCase[] {
  const request = (content: string): CompletionRequest => ({
    model,
    messages: [{ role: 'user', content }],
    temperature: 0,
    maxTokens: 16,
  });
  const testCase = (name: string, check: (batches: BatchEndpoint) => Promise<void>) =>
    caseWith(open, name, ({ batches }) => check(batches));
  const ids = ['first', 'second_2', 'x'.repeat(64)];
  const handOver = async (batches: BatchEndpoint, mark: string): Promise<BatchStatus> => {
    const lines = ids.map((id) => `${batches.line(id, request(`Say ${id}. Grüße, 世界`), [])}\n`);
    const file = await batches.upload(lines.join(''), never());
    return batches.create({ file, mark }, never());
  };

  return [
    testCase('writes a request as one line, the same for the same request', async (batches) => {
      const line = batches.line('a', request('two\nlines'), []);
      assert.ok(!line.includes('\n'), 'a line contains no line break');
      assert.equal(batches.line('a', request('two\nlines'), []), line);
      assert.notEqual(batches.line('b', request('two\nlines'), []), line);
    }),
    testCase('answers every line of a batch, by its id', async (batches) => {
      const made = await handOver(batches, mark());
      assert.equal(made.state, 'open');
      const ended = await ending(batches, made);
      assert.equal(ended.state, 'completed');
      const answers = await allAnswers(batches, ended, model);
      assert.deepEqual(answers.map(({ id }) => id).sort(), [...ids].sort());
      for (const answer of answers) {
        assert.ok('completion' in answer, 'every line is answered');
        assert.equal(typeof answer.completion.text, 'string');
        assert.equal(answer.completion.tier?.served, 'batch');
      }
      assertNoSecret([made, ended, answers], secrets);
    }),
    testCase('reads a file again from its start, in the same order', async (batches) => {
      const ended = await ending(batches, await handOver(batches, mark()));
      const read = () => allAnswers(batches, ended, model);
      assert.deepEqual(await read(), await read());
    }),
    testCase('finds a batch by its mark, and nothing by another one', async (batches) => {
      const own = mark();
      assert.equal(await batches.find(own, never()), undefined);
      const { id } = await handOver(batches, own);
      await handOver(batches, mark());
      assert.equal((await found(batches, own))?.id, id);
    }),
    testCase('cancels a batch, also one that has ended', async (batches) => {
      const made = await handOver(batches, mark());
      await batches.cancel(made.id, never());
      const ended = await ending(batches, made);
      assert.notEqual(ended.state, 'open');
      await batches.cancel(made.id, never());
      assert.equal((await batches.retrieve(made.id, never())).state, ended.state);
    }),
    testCase('returns undefined for a line that cannot be read', async (batches) => {
      for (const line of ['', '{', '[]', 'null', '{"custom_id":7}', '{"custom_id":"a","resp']) {
        assert.equal(batches.read(line, model), undefined);
      }
    }),
    testCase('fails with a Failure for a batch that does not exist', async (batches) => {
      await assert.rejects(batches.retrieve('batch-of-nobody', never()), (error) => {
        assert.ok(error instanceof Failure, `no Failure: ${String(error)}`);
        assertNoSecret(error, secrets);
        return true;
      });
    }),
    testCase('sends nothing once it is cancelled', async (batches) => {
      const reason = new Error('cancelled');
      const file = await batches.upload(`${batches.line('a', request('b'), [])}\n`, never());
      const own = mark();
      const creating = batches.create({ file, mark: own }, AbortSignal.abort(reason));
      await assert.rejects(creating, (error) => error === reason);
      assert.equal(await batches.find(own, never()), undefined);
    }),
  ];
}

const mark = () => randomUUID();

/** Searches for a batch until the list shows it, since a list may lag. */
async function found(batches: BatchEndpoint, own: string): Promise<BatchStatus | undefined> {
  const until = Date.now() + WAIT_MS;
  for (;;) {
    const batch = await batches.find(own, never());
    if (batch || Date.now() > until) return batch;
    await sleep(200);
  }
}

async function ending(batches: BatchEndpoint, { id }: BatchStatus): Promise<BatchStatus> {
  const until = Date.now() + WAIT_MS;
  for (;;) {
    const status = await batches.retrieve(id, never());
    if (status.state !== 'open' || Date.now() > until) return status;
    await sleep(100);
  }
}

async function allAnswers(
  batches: BatchEndpoint,
  { output, errors }: BatchStatus,
  model: string,
): Promise<BatchAnswer[]> {
  const answers: BatchAnswer[] = [];
  for (const file of [output, errors]) {
    if (file === null) continue;
    for await (const line of batches.download(file, never())) {
      const answer = batches.read(line, model);
      assert.ok(answer, `a line cannot be read: ${line.slice(0, 100)}`);
      answers.push(answer);
    }
  }
  return answers;
}
