/** Starting questions: from a program, from a plain Temporal client, twice, and wrongly. */
import { randomUUID } from 'node:crypto';
import {
  type ActivityFailure,
  ApplicationFailure,
  Client,
  WorkflowFailedError,
} from '@temporalio/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Failure } from '../../core/failure.js';
import type { MethodInput } from '../../core/options/input.js';
import type { MethodResult } from '../../core/result.js';
import { type Line, scriptedModel } from '../../testing/scripted-model.js';
import type { BaseOptions } from '../../workflows/base/options.js';
import { sharedHarness } from '../support/harness.js';
import { QUESTION as question } from '../support/telephone.js';

async function setUp(script: Line[], changes: Parameters<typeof sharedHarness>[1] = {}) {
  const model = scriptedModel(script);
  const harness = await sharedHarness(model, changes);
  onTestFinished(() => harness.close());
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

const reading = (say: Line['say'], when?: RegExp): Line => ({
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

  it('is told at once which field of a bad input is wrong', async () => {
    const { execute, model } = await setUp([]);
    const bad: [unknown, string][] = [
      [undefined, 'input'],
      ['Who?', 'input'],
      [{}, 'question'],
      [{ question: '  ' }, 'question: is empty'],
      [{ question: 'a'.repeat(100_000) }, 'question: is 100000 characters long'],
      [{ question, options: { candidates: 1 } }, 'options.candidates'],
      [{ question, options: { candidate: 3 } }, 'options.candidate: there is no such field'],
      [{ question, option: {} }, 'option: there is no such field'],
      [{ question, retrieval: { passages: [{ text: '' }] } }, 'retrieval.passages.0.text'],
      [{ question, limits: { attempts: 0 } }, 'limits.attempts'],
    ];
    const failures = await Promise.all(bad.map(([input]) => failureOf(execute('sure', input))));
    expect(failures.map(({ type }) => type)).toEqual(bad.map(() => 'BadInput'));
    for (const [i, [, field]] of bad.entries()) expect(failures[i]?.message).toContain(field);
    for (const { details, message } of failures) {
      const failure = { type: 'BadInput', message, step: null };
      expect(details).toMatchObject([{ method: 'sure', outcome: 'failed', failure }]);
    }
    expect(model.requests).toEqual([]);
  });

  it.each([
    ['Who?', ''],
    [null, ''],
    [{ question: 7 }, ''],
    [{ question: ` ${question} `, option: {} }, question],
  ])('is told where a question stands whose input is bad: %j', async (input, shown) => {
    const { harness, plain } = await setUp([]);
    const { taskQueue } = harness;
    const started = { args: [input], taskQueue, workflowId: taskQueue };
    const handle = await plain.workflow.start('sure', started);
    await failureOf(handle.result());
    const progress = { method: 'sure', question: shown, steps: [], usage: { calls: 0 } };
    expect(await handle.query('progress')).toMatchObject(progress);
  });

  it.each([
    ['genreadClusters', undefined, 'input'],
    ['genreadClusters', { dataset: 'train.jsonl', name: 'no spaces' }, 'name'],
    ['genreadClusters', { dataset: 'train.jsonl', name: 'webq', window: 0 }, 'window'],
  ])('is told which field of a job is wrong: %s %j', async (job, input, field) => {
    const { execute } = await setUp([]);
    const error = await execute(job, input).catch((reason: WorkflowFailedError) => reason);
    const { cause } = (error as WorkflowFailedError).cause as ActivityFailure;
    expect(cause).toMatchObject({ type: 'BadInput' });
    expect(cause?.message).toContain(`Bad input. ${field}: `);
  });

  it('is told that there is no such corpus, with a result', async () => {
    const { execute, model } = await setUp([]);
    const failure = await failureOf(
      execute('sure', { question, retrieval: { corpus: 'nowhere' } }),
    );
    expect(failure).toMatchObject({
      type: 'UnknownCorpus',
      message: 'There is no corpus "nowhere".',
      details: [{ outcome: 'failed', answer: null, failure: { type: 'UnknownCorpus' } }],
    });
    expect(model.requests).toEqual([]);
  });

  it('is told that there is no such prompt set', async () => {
    const { execute, model } = await setUp([]);
    const failure = await failureOf(execute('base', { question, prompts: 'mine' }));
    expect(failure).toMatchObject({ type: 'BadInput' });
    expect(failure.message).toContain('no prompt set "mine"');
    expect(model.requests).toEqual([]);
  });
});

describe('the client', () => {
  it('refuses a bad input before anything is started', async () => {
    const { harness, plain } = await setUp([]);
    const start = harness.client.start('sure', { question: '' }, { workflowId: harness.id });
    await expect(start).rejects.toThrow(Failure);
    await expect(start).rejects.toThrow('question: is empty');
    await expect(harness.client.ask('bogus' as 'sure', { question })).rejects.toThrow(
      'There is no method "bogus"; there are sure, base, ',
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

  it('serves what was paid for when it is asked again, unless told to pay', async () => {
    const { harness, model } = await setUp([
      { step: 'generateCandidates', say: '...' },
      { step: 'generateCandidates', say: '(a) Bell' },
      { step: 'generateCandidates', say: '...' },
      { step: 'generateCandidates', say: '(a) Gray' },
    ]);
    const ask = (input: object, again: boolean) =>
      harness.client.ask('sure', { question, labels: { run: harness.id }, ...input }, { again });
    const first = await ask({}, false);
    expect(first).toMatchObject({ answer: 'Bell', usage: { calls: 2, cachedCalls: 0 } });
    // The unreadable output is nobody's to inherit: it is paid again, its re-ask is not.
    const second = await ask({}, true);
    expect(second).toMatchObject({ answer: 'Bell', usage: { calls: 2, cachedCalls: 1 } });
    expect(second.usage.promptTokens).toBe(100);
    expect(model.requests).toHaveLength(3);
    const paid = await ask({ cache: false }, false);
    expect(paid).toMatchObject({ answer: 'Gray', usage: { calls: 1, cachedCalls: 0 } });
    const third = await ask({}, true);
    expect(third).toMatchObject({
      answer: 'Gray',
      usage: { calls: 1, cachedCalls: 1, costUsd: 0, savedUsd: paid.usage.costUsd },
    });
    expect(model.requests).toHaveLength(4);
  });
});

describe('base', () => {
  async function ask(
    script: Line[],
    input: Partial<MethodInput<BaseOptions>> = {},
    changes: Parameters<typeof sharedHarness>[1] = {},
  ) {
    const { harness, model } = await setUp(script, changes);
    const labels = { run: harness.id };
    return { result: await harness.client.ask('base', { question, labels, ...input }), model };
  }

  it('reads the passages once', async () => {
    const { result, model } = await ask([reading('Answer: "Bell".')]);
    expect(result).toMatchObject({
      outcome: 'answered',
      answer: 'Bell',
      retrievals: 1,
      usage: { calls: 1 },
      chain: { reading: 'Bell' },
    });
    expect(result.evidence).toHaveLength(10);
    expect(model.requests[0]?.prompt).toContain('Text of passage 10.');
  });
});
