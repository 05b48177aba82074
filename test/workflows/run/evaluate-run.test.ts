/** A whole run: what it asks, what it counts, what it keeps, and what stays bounded. */

import { Client } from '@temporalio/client';
import { expect, it } from 'vitest';
import { Failure } from '../../../core/failure.js';
import { safeFileName } from '../../../stores/runs/file-results.js';
import { workflowQueries } from '../../../workers/question-watch.js';
import { handleOf, historyText } from '../../support/history.js';
import { gate, questionText, setUpRunShared as setUpRun, soon } from '../../support/run.js';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

it('asks every question once, so many at a time, and goes on past those that fail', async () => {
  const both = gate();
  let begun = 0;
  const { harness, model, client, spec, workflowId } = await setUpRun(
    12,
    async (number) => {
      if (++begun === 2) both.open();
      await both.opened;
      if (number % 4 === 3) return new Failure('ContentRefused', 'No.');
      if (number === 4) return 'unknown';
      return number === 5 ? 'Gray' : 'Bell';
    },
    { concurrency: 2, tenant: 'acme' },
  );
  const handle = await client.startRun(spec);
  expect(handle).toMatchObject({ run: spec.run, workflowId });
  const result = await handle.result();
  expect(result).toMatchObject({
    run: spec.run,
    method: 'base',
    state: 'finished',
    pause: null,
    questions: 12,
    done: 12,
    running: 0,
    outcomes: { answered: 8, unknown: 1, unreadable: 0, failed: 3 },
    usage: { calls: 9, cachedCalls: 0, promptTokens: 900, costUsd: 0.009 },
    scores: { em: { questions: 12, sum: 7, sumOfSquares: 7 } },
  });
  expect(await handle.progress()).toEqual(result);
  expect(model.asked.toSorted((a, b) => a - b)).toEqual(numbers(12));
  expect(model.flight.most).toBe(2);

  // The answers are in the store with all that led to them, and in no history but their own.
  const { runs } = harness.ports;
  expect(await runs.get(spec.run, 'n/5')).toMatchObject({
    id: 'n/5',
    result: { outcome: 'answered', answer: 'Gray', chain: { reading: 'Gray' } },
    scores: { em: 0 },
  });
  expect(await runs.get(spec.run, 'n/3')).toMatchObject({
    result: { outcome: 'failed', question: questionText(3) },
    failure: { type: 'ContentRefused', message: 'No.', step: 'read' },
    scores: { em: 0, f1: 0 },
  });
  const childWorkflowId = (id: string) => `${workflowId}/${safeFileName(id)}`;
  const failed = await handleOf(harness.connection, childWorkflowId('n/3')).describe();
  expect(failed).toMatchObject({ type: 'base', status: { name: 'FAILED' } });
  expect(failed.searchAttributes).toMatchObject({
    QaRun: [spec.run],
    QaDataset: ['numbers.jsonl'],
    QaTenant: ['acme'],
    QaOutcome: ['failed'],
  });
  // It was started with all that is known before it begins.
  const { events } = await handleOf(harness.connection, childWorkflowId('n/3')).fetchHistory();
  const { searchAttributes } = events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
  expect(Object.keys(searchAttributes?.indexedFields ?? {}).sort()).toEqual([
    'QaDataset',
    'QaMethod',
    'QaRun',
    'QaTenant',
  ]);
  expect(failed.priority).toMatchObject({ priorityKey: 3, fairnessKey: spec.run });
  const history = historyText(await handleOf(harness.connection, workflowId).fetchHistory());
  expect(history).toContain(questionText(5));
  expect(history).not.toContain('"chain"');
});

it('goes on in new histories without waiting for what is under way', async () => {
  const slow = gate();
  const { model, startInHistories } = await setUpRun(
    12,
    async (number) => {
      // Two of the first history outlive several others.
      if (number < 2) await slow.opened;
      return number === 1 ? new Failure('ContentRefused', 'No.') : 'Bell';
    },
    { concurrency: 4 },
  );
  const { handle: run, histories } = await startInHistories(3);
  await soon(async () => expect(await run.progress()).toMatchObject({ done: 10, running: 2 }));
  expect(model.asked.toSorted((a, b) => a - b)).toEqual(numbers(12));
  slow.open();
  expect(await run.result()).toMatchObject({
    done: 12,
    outcomes: { answered: 11, failed: 1 },
    scores: { em: { questions: 12, sum: 11 } },
    usage: { calls: 11 },
  });
  expect(model.asked).toHaveLength(12);
  expect(model.flight.most).toBeLessThanOrEqual(4);

  const all = await histories();
  expect(all.length).toBeGreaterThanOrEqual(4);
  // Three questions begun, a few of before that end, and what opening the run takes.
  for (const { events } of all) expect(events?.length).toBeLessThan(150);
});

it('records a question whose workflow was ended or cancelled from outside as failed', async () => {
  const { harness, client, spec, workflowId, model } = await setUpRun(
    4,
    (number) => (number === 1 || number === 2 ? 'hang' : 'Bell'),
    { tenant: 'with-one-run' },
  );
  const handle = await client.startRun(spec);
  await soon(async () => expect((await handle.progress()).done).toBe(2));
  const { connection, taskQueue } = harness;
  // Each watch remembers for some seconds what it has counted.
  const runsOf = (tenant: string) =>
    workflowQueries(new Client({ connection })).runsOf(tenant, taskQueue);
  await soon(async () => expect(await runsOf('with-one-run')).toBe(1));
  expect(await runsOf('with-none')).toBe(0);
  const question = (id: string) =>
    handleOf(harness.connection, `${workflowId}/${safeFileName(id)}`);
  await question('n/1').terminate('By hand.');
  await question('n/2').cancel();
  expect(await handle.result()).toMatchObject({
    done: 4,
    outcomes: { answered: 2, failed: 2 },
    scores: { em: { questions: 4, sum: 2 } },
  });
  const { runs } = harness.ports;
  expect(await runs.get(spec.run, 'n/1')).toMatchObject({
    result: null,
    failure: { type: 'Terminated', message: expect.stringContaining('from outside') },
    scores: { em: 0 },
  });
  expect((await runs.get(spec.run, 'n/2'))?.failure?.type).toBe('Cancelled');
  expect(model.asked).toHaveLength(4);
});

it('fails with the reason when the data set cannot be used', async () => {
  const { client, spec } = await setUpRun(1, () => 'Bell');
  const handle = await client.startRun({ ...spec, dataset: 'gone' });
  await expect(handle.result()).rejects.toMatchObject({
    type: 'UnknownText',
    message: expect.stringContaining('no data set with the name "gone"'),
  });
  expect(await client.describeRun(spec.run)).toMatchObject({
    status: 'FAILED',
    failure: { type: 'UnknownText', unbegun: true },
  });
  expect(await (await client.startRun(spec)).result()).toMatchObject({ done: 1 });
});

it('ends a question that has cost what one may, and asks on with what was paid for', async () => {
  const said: Record<string, string> = {
    generateCandidates: '(a) Bell, (b) Gray',
    summarize: 'What is known. [DONE]',
    validate: 'True',
    rankPair: 'Passage 1',
  };
  const { model, client, spec } = await setUpRun(2, (_, step) => said[step] ?? 'Bell', {
    method: 'sure',
    options: {},
    budgetPerQuestionUsd: 0.001,
    pauseAfter: 2,
  });
  const ended = await (await client.startRun(spec)).result();
  // The candidates cost as much: no summary is asked for.
  expect(ended).toMatchObject({
    state: 'finished',
    outcomes: { answered: 0, failed: 2 },
    failures: [{ type: 'QuestionBudget', questions: 2, example: expect.any(String) }],
  });
  expect(ended.failures?.[0]?.example).toBe(
    'A question may cost $0.001 (budgetPerQuestionUsd), and it has cost $0.001 in 1 call.',
  );
  expect(model.asked).toHaveLength(2);
  const { budgetPerQuestionUsd: _, ...more } = spec;
  const again = await (await client.startRun(more, { again: true })).result();
  expect(again).toMatchObject({ outcomes: { answered: 2, failed: 0 } });
  const calls = [...model.asked];
  const whole = await (await client.startRun({ ...more, run: `${spec.run}-whole` })).result();
  expect(whole.usage).toMatchObject({ costUsd: 0, calls: calls.length });
  expect(model.asked).toEqual(calls);
});
