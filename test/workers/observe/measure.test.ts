/** What is counted of an attempt, from what its activity was called with and how it ended. */
import { CompleteAsyncError } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import type { CallUsage } from '../../../core/usage.js';
import { measurementsOf } from '../../../workers/observe/measure.js';
import { type AttemptResult, observationOf } from '../../../workers/observe/observation.js';
import { labelLimiter } from '../../../workers/observe/worker-metrics.js';

const info = {
  activityType: 'rankPair',
  workflowType: 'sure',
  workflowExecution: { workflowId: 'eval/nightly/q-7', runId: '1' },
  attempt: 2,
};
const args = [{ question: 'Who?' }, { model: 'small-1', corpus: null }];
const call = { method: 'sure', step: 'rankPair', model: 'small-1' };

const observe = (ended: AttemptResult) => observationOf(info, args, ended, 1.5);
const counted = (ended: AttemptResult) => measurementsOf(observe(ended));

const usage: CallUsage = {
  cached: false,
  promptTokens: 100,
  cachedPromptTokens: 60,
  completionTokens: 7,
  costUsd: 0.25,
};
const answered = (changes: Partial<CallUsage>): AttemptResult => ({
  output: { value: 'A', usage: { ...usage, ...changes }, model: 'small-1-2026', prompt: 'h' },
});

describe('an answered call', () => {
  it('counts seconds, tokens by kind and dollars', () => {
    expect(counted(answered({}))).toEqual([
      { series: 'seconds', value: 1.5, labels: call },
      { series: 'calls', value: 1, labels: call },
      { series: 'tokens', value: 40, labels: { ...call, kind: 'prompt' } },
      { series: 'tokens', value: 60, labels: { ...call, kind: 'cached_prompt' } },
      { series: 'tokens', value: 7, labels: { ...call, kind: 'completion' } },
      { series: 'cost', value: 0.25, labels: { ...call, kind: 'answered' } },
    ]);
  });

  it('counts what was written into the cache apart, so that the kinds add up', () => {
    const tokens = counted(answered({ writtenPromptTokens: 30 })).filter(
      ({ series }) => series === 'tokens',
    );
    expect(tokens.map(({ value, labels }) => [labels.kind, value])).toEqual([
      ['prompt', 10],
      ['cached_prompt', 60],
      ['written_prompt', 30],
      ['completion', 7],
    ]);
  });

  it('counts one from the cache without tokens and dollars', () => {
    const free = { promptTokens: 0, cachedPromptTokens: 0, completionTokens: 0, costUsd: 0 };
    expect(counted(answered({ cached: true, ...free }))).toEqual([
      { series: 'seconds', value: 1.5, labels: call },
      { series: 'calls', value: 1, labels: call },
      { series: 'cacheHits', value: 1, labels: call },
    ]);
  });

  it('keeps what attempts without an answer may have cost apart', () => {
    const estimated = {
      attempts: 1,
      repeated: 0,
      promptTokens: 30,
      completionTokens: 2,
      costUsd: 0.05,
    };
    const costs = counted(answered({ estimated })).filter(({ series }) => series === 'cost');
    expect(costs.map(({ value, labels }) => [labels.kind, value])).toEqual([
      ['answered', 0.2],
      ['estimated', 0.05],
    ]);
  });

  it('says where no price is known', () => {
    const series = counted(answered({ costUsd: null })).map((one) => one.series);
    expect(series).toContain('unpriced');
    expect(series).not.toContain('cost');
  });
});

describe('an attempt without an answer', () => {
  const failure = (type: string, more: Parameters<typeof ApplicationFailure.create>[0] = {}) => ({
    error: ApplicationFailure.create({ type, message: 'A text that no series holds.', ...more }),
  });

  it('is a refusal with its wait, a failure by kind, or a wait for a limit', () => {
    expect(counted(failure('RateLimited', { nextRetryDelay: 2500 }))).toEqual([
      { series: 'refusals', value: 1, labels: { ...call, kind: 'RateLimited' } },
      { series: 'waits', value: 2.5, labels: { ...call, kind: 'RateLimited' } },
    ]);
    expect(counted(failure('Timeout', { nextRetryDelay: 1000 }))).toEqual([
      { series: 'failures', value: 1, labels: { ...call, kind: 'Timeout' } },
    ]);
    expect(counted(failure('AwaitsTokens', { nextRetryDelay: 12_000 }))).toEqual([
      { series: 'waits', value: 12, labels: { ...call, kind: 'AwaitsTokens' } },
    ]);
    expect(counted({ error: new TypeError('x is not a function') })).toEqual([
      { series: 'failures', value: 1, labels: { ...call, kind: 'Unexpected' } },
    ]);
  });

  it('tells of what was lost once, when there is no further attempt', () => {
    const lost = { attempts: 2, repeated: 0, promptTokens: 9, completionTokens: 1, costUsd: 0.01 };
    const details = [{ estimated: lost }];
    expect(counted(failure('Timeout', { details }))).toHaveLength(1);
    expect(counted(failure('Timeout', { details, nonRetryable: true }))).toEqual([
      { series: 'failures', value: 1, labels: { ...call, kind: 'Timeout' } },
      { series: 'tokens', value: 9, labels: { ...call, kind: 'prompt' } },
      { series: 'tokens', value: 1, labels: { ...call, kind: 'completion' } },
      { series: 'cost', value: 0.01, labels: { ...call, kind: 'estimated' } },
    ]);
  });

  it('is nothing to count where it is answered from outside, waits for another, or was taken back', () => {
    for (const error of [
      new CompleteAsyncError(),
      new CancelledFailure('CANCELLED'),
      new DOMException('aborted', 'AbortError'),
      failure('AwaitsAnswer').error,
    ]) {
      expect(counted({ error })).toEqual([]);
    }
  });
});

it('names run and question, and holds no text', () => {
  const observation = observe(answered({}));
  expect(observation).toMatchObject({ run: 'nightly', question: 'q-7', attempt: 2 });
  expect(JSON.stringify(observation)).not.toContain('Who?');
});

it('counts no tally a second time', () => {
  const tally = { output: { usage: { calls: 3, cachedCalls: 0, promptTokens: 5 } } };
  expect(counted(tally).map(({ series }) => series)).toEqual(['seconds']);
});

it('keeps labels few, whatever models are asked for', () => {
  const label = labelLimiter(3);
  const seen = ['a', 'b', 'c', 'd', 'e', 'a'].map((model) => label('model', model));
  expect(seen).toEqual(['a', 'b', 'c', 'other', 'other', 'a']);
  expect(label('step', 'd')).toBe('d');
});

it('keeps labels short, and in whole characters', () => {
  const label = labelLimiter();
  expect(label('model', `${'long'.repeat(24)}bit${'🙂'.repeat(1e6)}`)).toMatch(/^(long){24}bit.$/);
  expect(label('model', 'a'.repeat(101))).toBe(label('model', 'a'.repeat(1e6)));
});

it('counts no more tokens than a counter takes', () => {
  const tokens = counted(answered({ promptTokens: 1e300 })).find(
    ({ series }) => series === 'tokens',
  );
  expect(tokens?.value).toBe(Number.MAX_SAFE_INTEGER);
});
