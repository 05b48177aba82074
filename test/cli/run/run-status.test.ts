/** Where a run stands, from what Temporal and the results say of it; what to do; how a command ends. */

import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { readQuestions } from '../../../activities/run/read-questions.js';
import { recordStopped } from '../../../activities/run/record-answer.js';
import { exitCodeOfRun, needsPerson, nextStep } from '../../../cli/run/next-step.js';
import { renderStatus, renderStatusLine } from '../../../cli/run/render-progress.js';
import {
  listedStatus,
  listedStoredStatus,
  type RunStatus,
  runStatus,
  statusOfProgress,
} from '../../../cli/run/run-status.js';
import { statusJson } from '../../../cli/run/status-json.js';
import type { RunSummary } from '../../../client/list-runs.js';
import type { RunProgress } from '../../../core/run/run.js';
import { settingsOf } from '../../../core/run/run-settings.js';
import { NO_SUMS } from '../../../core/run/sums.js';
import { addUsage, NO_USAGE } from '../../../core/usage.js';
import { metricRegistry } from '../../../evaluation/metrics/registry.js';
import { comparisonText } from '../../../evaluation/runs/comparison-text.js';
import { evaluateRuns } from '../../../evaluation/runs/evaluate-runs.js';
import { openRuns } from '../../../evaluation/runs/run-source.js';
import { methodRegistry } from '../../../interpreters/methods.js';
import { answer, manifestFor, question, stream } from '../../../testing/run-records.js';
import { memoryRuns } from '../../support/stores.js';

const progress: RunProgress = {
  run: 'r',
  method: 'sure',
  state: 'finished',
  pause: null,
  settings: settingsOf({}),
  questions: 3,
  running: 0,
  usage: NO_USAGE,
  startedAt: 0,
  ...NO_SUMS,
  done: 3,
};

const summary = (changes: Partial<RunSummary>): RunSummary => ({
  run: 'r',
  workflowId: 'eval/r',
  status: 'COMPLETED',
  startedAt: new Date(0),
  endedAt: undefined,
  input: undefined,
  progress: undefined,
  failure: undefined,
  stuck: [],
  ...changes,
});

async function kept(answers: number) {
  const runs = memoryRuns();
  const questions = [question('a'), question('b'), question('c')];
  await runs.begin('r', stream(questions), () => manifestFor('r'));
  for (const { id } of questions.slice(0, answers)) await runs.put('r', answer(id));
  return runs;
}

const look = async (known: RunSummary | undefined, runs = memoryRuns()) =>
  runStatus('r', { runs, place: '/home/runs', describe: async () => known });

test('one that has finished is gone where nothing of it is kept', async () => {
  const status = await look(summary({ progress }));
  expect(status).toMatchObject({ state: 'gone', reason: { type: 'ResultsGone' } });
  expect(status.reason?.message).toContain('not in /home/runs');
  expect(exitCodeOfRun(status)).toBe(4);
  expect(nextStep(status)).toContain('runs delete r');
  expect(renderStatusLine(status)).toBe('r: 3 of 3 done, results gone (ResultsGone)');
  expect(await look(summary({ progress }), await kept(3))).toMatchObject({ state: 'finished' });
});

test('one that took a change on its way says that it is mixed', async () => {
  const differences = ['prompts.read.txt: "a" there, "b" here'];
  const change = { at: '2026-01-02T00:00:00.000Z', answered: 2, differences, prompts: {} };
  const runs = memoryRuns();
  const manifest = () => ({ ...manifestFor('r'), changes: [change] });
  await runs.begin('r', stream([question('a'), question('b'), question('c')]), manifest);
  for (const known of [summary({ progress }), undefined]) {
    const status = await look(known, runs);
    const text = stripVTControlCharacters(renderStatus(status).join('\n'));
    expect(text).toContain('This run is mixed');
    expect(text).toContain('after 2 answers: prompts.read.txt: "a" there, "b" here');
    const { prompts: _, ...shown } = change;
    expect(statusJson(status)).toMatchObject({ changes: [shown] });
  }
  const status = await look(summary({ progress }), await kept(3));
  expect(renderStatus(status).join('\n')).not.toContain('mixed');
  expect(statusJson(status)).toMatchObject({ changes: [] });
});

test('one that was scored again since its end shows the scores that are kept', async () => {
  const at = new Date(progress.startedAt + 1).toISOString();
  const metrics = [{ name: 'mine', title: 'Mine', headline: true, version: '1' }];
  const rescored = [{ at, differences: ['metrics'], kept: {} }];
  const runs = memoryRuns();
  await runs.begin('r', stream([question('a')]), () => ({
    ...manifestFor('r'),
    metrics,
    rescored,
  }));
  await runs.put('r', { ...answer('a'), scores: { mine: 1 }, scoredAt: at });
  expect((await look(summary({ progress }), runs)).progress).toMatchObject({
    done: progress.done,
    usage: progress.usage,
    metrics,
    scores: { mine: { questions: 1, sum: 1 } },
  });
});

test('one that failed says why, and that it did not open', async () => {
  const failure = { type: 'BadInput', message: 'Line 1 is no question.' };
  const status = await look(summary({ status: 'FAILED', failure }));
  expect(statusJson(status)).toMatchObject({ state: 'failed', reason: failure, done: null });
  expect(exitCodeOfRun(status)).toBe(4);
  expect(nextStep(status)).toContain('the same command');
});

test('one that was stopped is told from its answers', async () => {
  for (const [status, state] of [
    ['CANCELLED', 'cancelled'],
    ['TERMINATED', 'terminated'],
    ['TIMED_OUT', 'timedOut'],
    ['RUNNING', 'unattended'],
  ] as const) {
    const found = await look(summary({ status }), await kept(2));
    expect(found).toMatchObject({ state, progress: { questions: 3, done: 2 } });
    expect(statusJson(found)).toMatchObject({
      done: 2,
      outcomes: { answered: 2 },
      usage: { calls: 14, costUsd: 0.5 },
      scores: { em: { questions: 2, mean: 1 } },
    });
  }
});

test('one that was cancelled tells what its open calls may cost, and so does each look after it', async () => {
  const runs = await kept(1);
  const before = await look(summary({ status: 'CANCELLED' }), runs);
  const estimated = {
    attempts: 2,
    repeated: 0,
    promptTokens: 80,
    completionTokens: 20,
    costUsd: 0.25,
  };
  const usage = { ...NO_USAGE, promptTokens: 80, completionTokens: 20, costUsd: 0.25, estimated };
  const startedAt = '2026-01-02T00:00:00.000Z';
  await recordStopped('r', { startedAt, usage, judge: NO_USAGE }, runs);
  // Its activity was tried twice.
  await recordStopped('r', { startedAt, usage, judge: NO_USAGE }, runs);
  const status = await look(summary({ status: 'CANCELLED' }), runs);
  expect(before.progress).not.toHaveProperty('earlier');
  expect(status.progress).toMatchObject({ usage: before.progress.usage, earlier: usage });
  expect(stripVTControlCharacters(renderStatus(status).join('\n'))).toMatch(
    /earlier attempts: 0 calls, 80 prompt .* \$0\.25; together \$\d\.\d+\nof which estimated \$0\.25 \(2 attempts without an answer\)/,
  );
  await recordStopped('r', { startedAt: '2026-01-03T00:00:00.000Z', usage, judge: usage }, runs);
  const page = await readQuestions(
    { run: 'r', from: 0 },
    { runs, metrics: metricRegistry(), methods: methodRegistry() },
  );
  const took = addUsage(before.progress.usage, addUsage(usage, usage));
  expect(page.earlier).toEqual(took);
  const twice = await look(summary({ status: 'CANCELLED' }), runs);
  expect(twice.progress.judge?.usage).toMatchObject({ costUsd: 0.25 });
});

test('one that Temporal has forgotten is told from what is kept', async () => {
  expect(await look(undefined, await kept(3))).toMatchObject({ state: 'finished' });
  const begun = await look(undefined, await kept(1));
  expect(begun).toMatchObject({ state: 'incomplete', progress: { done: 1 } });
  expect(nextStep(begun)).toBe('durable-rag retry r');
  await expect(look(undefined)).rejects.toMatchObject({
    type: 'UnknownRun',
    message: expect.stringContaining('There is no run "r" in /home/runs'),
  });
});

test('one that has not finished is not taken for ended where no server answers', async () => {
  const places = { place: '/home/runs', describe: undefined };
  const begun = await runStatus('r', { ...places, runs: await kept(1) });
  expect(begun).toMatchObject({ state: 'unreachable', progress: { done: 1 } });
  expect(nextStep(begun)).toBe('start Temporal (durable-rag dev), or set TEMPORAL_ADDRESS');
  expect(exitCodeOfRun(begun)).toBe(8);
  const whole = await runStatus('r', { ...places, runs: await kept(3) });
  expect(whole).toMatchObject({ state: 'finished' });
});

test('a list says no more than was looked at', async () => {
  const inResults = listedStoredStatus(manifestFor('r'));
  expect(renderStatusLine(inResults)).toBe(
    'r: 3 questions, sure, begun 2026-01-02T03:04, in the results',
  );
  expect(statusJson(inResults)).toMatchObject({ questions: 3, done: null, outcomes: null });
  const failure = { type: 'BadInput', message: '' };
  const failed = listedStatus(summary({ status: 'FAILED', failure }), undefined, '');
  expect(renderStatusLine(failed)).toContain('begun 1970-01-01T00:00, failed (BadInput)');
});

test('scores have one interval, live, kept and compared', async () => {
  const runs = memoryRuns();
  const ids = ['a', 'b', 'c'];
  await runs.begin('r', stream(ids.map((id) => question(id))), () => manifestFor('r'));
  const f1s = [0.4, 1, 0.25];
  for (const [i, id] of ids.entries()) {
    await runs.put('r', { ...answer(id), scores: { f1: f1s[i] ?? 0 } });
  }
  const sums = { questions: 3, sum: 1.65, sumOfSquares: 0.16 + 1 + 0.0625 };
  const live = summary({ progress: { ...progress, scores: { f1: sums } } });
  const text = comparisonText(await evaluateRuns(await openRuns(runs, ['r'])));
  const [, mean, low, high] = /F1 +([\d.]+) \(([\d.]+) to ([\d.]+)\)/.exec(text) ?? [];
  for (const known of [live, undefined]) {
    const line = renderStatusLine(await look(known, runs));
    expect(line).toContain(`F1 ${mean} % (${low} to ${high})`);
  }
});

test('the code of a run says how it stands, and a pause who ends it', () => {
  const stands = (state: RunStatus['state'], failed = 0) =>
    exitCodeOfRun({
      state,
      reason: null,
      isKept: true,
      progress: { ...progress, outcomes: { ...NO_SUMS.outcomes, failed } },
    });
  expect(stands('running')).toBe(0);
  expect(stands('finished')).toBe(0);
  expect(stands('finished', 1)).toBe(3);
  expect(stands('paused')).toBe(5);
  expect(stands('incomplete')).toBe(4);
  const waits = ['user', 'StoreUnwritable', 'budget', 'priceUnknown', 'Authentication'];
  expect(waits.map((reason) => needsPerson({ reason }))).toEqual([false, true, true, true, true]);
  expect(needsPerson({ reason: 'StoreUnwritable', nextProbe: 1 })).toBe(false);
});

test('what fails again as it is asked is not proposed, and what can be healed is', () => {
  const finished = (...types: string[]) => {
    const failures = types.map((type) => ({ type, step: 'read', questions: 1, example: '' }));
    const outcomes = { ...NO_SUMS.outcomes, failed: 1 };
    const ended = { ...progress, outcomes, ...(types.length > 0 && { failures }) };
    return nextStep({ state: 'finished', reason: null, progress: ended, isKept: true });
  };
  for (const lasting of ['ContextTooLong', 'ContentRefused', 'BadRequest']) {
    expect(finished(lasting)).not.toContain('retry');
    expect(finished(lasting)).toContain('another --name');
  }
  expect(finished('Timeout')).toBe('durable-rag retry r');
  expect(finished('ContextTooLong', 'Overloaded')).toBe('durable-rag retry r');
  expect(finished()).toBe('durable-rag retry r');

  const paused = (type: string) => {
    const pause = { reason: type, message: 'No.' };
    const status = statusOfProgress({ ...progress, state: 'paused', pause }, true, '');
    const text = stripVTControlCharacters(renderStatus(status).join('\n'));
    expect(text).toContain(`To continue: ${nextStep(status)}`);
    return nextStep(status);
  };
  expect(paused('UnknownModel')).not.toContain('resume');
  expect(paused('UnknownModel')).toContain('durable-rag cancel r');
  expect(paused('Authentication')).toBe('mend the reason, then: durable-rag resume r');
});

test.each([
  [0.5, 'durable-rag set r --budget-usd N && durable-rag resume r'],
  [0.6, 'durable-rag resume r'],
  [null, 'durable-rag resume r'],
])(
  'of a run over its budget, with one of %s now, the next step is to raise it or to go on',
  (budgetUsd, next) => {
    const usage = { ...NO_USAGE, calls: 3, costUsd: 0.3 };
    const judge = { usage: { ...NO_USAGE, calls: 3, costUsd: 0.12 }, failed: 0 };
    const spent = { ...progress, usage, judge, settings: { ...progress.settings, budgetUsd } };
    const reason = { type: 'budget', message: 'It is spent.' };
    expect(nextStep({ state: 'paused', reason, progress: spent, isKept: true })).toBe(next);
  },
);
