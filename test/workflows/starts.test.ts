/** Starting questions: from a program, from a plain Temporal client, twice, and wrongly. */
import { randomUUID } from 'node:crypto';
import {
  type ActivityFailure,
  ApplicationFailure,
  Client,
  WorkflowFailedError,
} from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../core/failure.js';
import type { MethodResult } from '../../core/result.js';
import { type ScriptedReply, scriptedModel } from '../../testing/scripted-model.js';
import { sharedHarness } from '../support/harness.js';
import { QUESTION as question } from '../support/telephone.js';

async function setUp(script: ScriptedReply[], changes: Parameters<typeof sharedHarness>[1] = {}) {
  const model = scriptedModel(script);
  const harness = await sharedHarness(model, changes);
  const plain = new Client({ connection: harness.connection });
  /** As a client in any language would. */
  const execute = (type: string, ...args: unknown[]): Promise<MethodResult> =>
    plain.workflow.execute(type, {
      args,
      taskQueue: harness.taskQueue,
      workflowId: randomUUID(),
    });
  return { model, harness, plain, execute };
}

const reading = (say: ScriptedReply['say'], when?: RegExp): ScriptedReply => ({
  step: 'read',
  say,
  ...(when && { when }),
});

async function failureOf(work: Promise<unknown>): Promise<ApplicationFailure> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(WorkflowFailedError);
  const { cause } = error as WorkflowFailedError;
  expect(cause).toBeInstanceOf(ApplicationFailure);
  return cause as ApplicationFailure;
}

describe('a plain Temporal client', () => {
  it('starts a method by its name with JSON', async () => {
    const { execute } = await setUp([
      reading('Bell'),
      { step: 'generateCandidates', say: '(a) Bell' },
    ]);
    expect(await execute('base', { question })).toMatchObject({
      outcome: 'answered',
      answer: 'Bell',
    });
    expect(await execute('sure', { question })).toMatchObject({ method: 'sure', answer: 'Bell' });
  });

  it.each([
    [undefined, 'BadInput', 'input', ''],
    [null, 'BadInput', 'input', ''],
    [{ question: 7 }, 'BadInput', 'question: must be text', ''],
    [{ question: ` ${question} `, option: {} }, 'BadInput', 'option: there is no such', question],
    [
      { question, retrieval: { corpus: 'nowhere' } },
      'UnknownCorpus',
      'There is no corpus "nowhere".',
      question,
    ],
  ])(
    'is told what is wrong with an input, and where it stands: %j',
    async (input, type, says, shown) => {
      const { harness, plain, model } = await setUp([]);
      const started = { args: [input], taskQueue: harness.taskQueue, workflowId: harness.id };
      const handle = await plain.workflow.start('sure', started);
      const { message, details, ...told } = await failureOf(handle.result());
      expect(told.type).toBe(type);
      expect(message).toContain(says);
      const failure = { type, message, step: null };
      expect(details).toMatchObject([{ method: 'sure', outcome: 'failed', answer: null, failure }]);
      const progress = { method: 'sure', question: shown, steps: [], usage: { calls: 0 } };
      expect(await handle.query('progress')).toMatchObject(progress);
      expect(model.requests).toEqual([]);
    },
  );

  it('is told which field of a job is wrong', async () => {
    const { execute } = await setUp([]);
    const job = { run: 'train', name: 'webq', clusters: 0 };
    const error = await execute('genreadClusters', job).catch((reason: unknown) => reason);
    const { cause } = (error as WorkflowFailedError).cause as ActivityFailure;
    expect(cause).toMatchObject({ type: 'BadInput' });
    expect(cause?.message).toContain('Bad input. clusters: ');
  });
});

describe('the client', () => {
  it('refuses a bad input before anything is started', async () => {
    const { harness, plain } = await setUp([]);
    const start = harness.client.start('sure', { question: '' }, { workflowId: harness.id });
    await expect(start).rejects.toThrow(Failure);
    await expect(start).rejects.toThrow('question: is empty');
    await expect(harness.client.ask('bogus' as 'sure', { question })).rejects.toThrow(
      'There is no method "bogus"; there are adaptiveRag, allies, base, ',
    );
    await expect(plain.workflow.getHandle(harness.id).describe()).rejects.toThrow('not found');
  });

  it('joins a question of the same input, under way or answered', async () => {
    const { harness, model, plain } = await setUp([
      { ...reading('Bell'), delayMs: 500 },
      { ...reading('Gray'), delayMs: 60_000 },
    ]);
    const { client } = harness;
    const labels = { run: harness.id };
    const [one, two] = await Promise.all([
      client.start('base', { question, labels, seed: 1 }),
      client.start('base', { seed: 1, labels, question }),
    ]);
    expect(two.workflowId).toBe(one.workflowId);
    const results = await Promise.all([one.result(), two.result()]);
    const later = await client.ask('base', { question, labels, seed: 1 });
    expect(results[0]).toMatchObject({ answer: 'Bell', usage: { calls: 1, cachedCalls: 0 } });
    expect(results[1]).toEqual(results[0]);
    expect(later).toEqual(results[0]);
    const again = await client.ask('base', { question, labels, seed: 1 }, { again: true });
    expect(again).toMatchObject({ answer: 'Bell', usage: { cachedCalls: 1 } });
    expect(model.requests).toHaveLength(1);
    const other = await client.start('base', { question, labels, seed: 2 });
    expect(other.workflowId).not.toBe(one.workflowId);
    await plain.workflow.getHandle(other.workflowId).terminate();
    expect(await other.result()).toMatchObject({
      outcome: 'failed',
      failure: { type: 'Terminated' },
    });
  });

  it('starts a failed question anew', async () => {
    const { harness } = await setUp([
      reading(new Failure('QuotaExhausted', 'No credit.')),
      reading('Bell'),
    ]);
    const labels = { run: harness.id };
    const ask = () => harness.client.ask('base', { question, labels });
    expect(await ask()).toMatchObject({
      outcome: 'failed',
      failure: { type: 'QuotaExhausted', message: 'No credit.', step: 'read' },
    });
    expect(await ask()).toMatchObject({ outcome: 'answered', answer: 'Bell' });
  });
});
