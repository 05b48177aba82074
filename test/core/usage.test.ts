import { expect, it } from 'vitest';
import {
  addCall,
  addUsage,
  answeredUsd,
  NO_USAGE,
  paidCalls,
  savedOf,
  withEstimated,
} from '../../core/usage.js';
import { progressTable } from '../../workflows/question/progress.js';

const paid = {
  cached: false,
  promptTokens: 100,
  cachedPromptTokens: 60,
  completionTokens: 10,
  costUsd: 0.5,
};

it('adds up what calls at other tiers would have cost at the usual one', () => {
  const flex = { ...paid, costUsd: 0.25, standardUsd: 0.5 };
  const both = addCall(addCall(NO_USAGE, paid), flex);
  expect(both).toMatchObject({ costUsd: 0.75, standardUsd: 1 });
  expect(addCall(both, paid)).toMatchObject({ costUsd: 1.25, standardUsd: 1.5 });
  expect(addCall(both, { ...flex, standardUsd: null }).standardUsd).toBeNull();
  expect(addCall(NO_USAGE, paid)).not.toHaveProperty('standardUsd');
});

it('adds up what each cached call had cost, as long as that is known of all', () => {
  const fromCache = (savedUsd: number | null) => ({ ...NO_USAGE, cached: true, savedUsd });
  const both = addCall(addCall(addCall(NO_USAGE, paid), fromCache(0.9)), fromCache(0.001));
  expect([savedOf(both), paidCalls(both), both.costUsd]).toEqual([0.901, 1, 0.5]);
  expect(savedOf(addUsage(both, addCall(NO_USAGE, paid)))).toBe(0.901);
  expect(savedOf(addCall(both, fromCache(null)))).toBeNull();
  expect(savedOf(addUsage(both, { ...NO_USAGE, calls: 1, cachedCalls: 1 }))).toBeNull();
  expect([savedOf(NO_USAGE), savedOf(addCall(NO_USAGE, paid))]).toEqual([0, 0]);
});

it('counts calls, the cached ones apart', () => {
  const fromCache = { ...NO_USAGE, cached: true, savedUsd: 0.2 };
  expect(addCall(addCall(NO_USAGE, paid), fromCache)).toEqual({
    calls: 2,
    cachedCalls: 1,
    promptTokens: 100,
    cachedPromptTokens: 60,
    completionTokens: 10,
    costUsd: 0.5,
    savedUsd: 0.2,
  });
});

it('has what attempts without an answer may have cost in it, and tells it apart', () => {
  const lost = { attempts: 1, repeated: 0, promptTokens: 90, completionTokens: 20, costUsd: 0.25 };
  const call = withEstimated(paid, lost);
  expect(call).toMatchObject({ promptTokens: 190, completionTokens: 30, costUsd: 0.75 });
  const died = { ...lost, repeated: 1 };
  const both = addUsage(addCall(NO_USAGE, call), withEstimated(NO_USAGE, died));
  expect(both).toMatchObject({
    calls: 1,
    promptTokens: 280,
    costUsd: 1,
    estimated: { attempts: 2, repeated: 1, promptTokens: 180, completionTokens: 40, costUsd: 0.5 },
  });
  expect(answeredUsd(both)).toBe(0.5);
  expect(withEstimated(paid, { ...lost, costUsd: null }).costUsd).toBeNull();
  expect(withEstimated(paid, undefined)).toEqual(paid);
});

it('keeps what is known of a cost beside what is not', () => {
  const unpriced = addCall(NO_USAGE, { ...paid, costUsd: null });
  const both = addUsage(addCall(NO_USAGE, paid), unpriced);
  expect(addUsage(both, addCall(both, paid))).toMatchObject({ costUsd: null, knownUsd: 1.5 });
  expect(unpriced).not.toHaveProperty('knownUsd');
  expect(addCall(NO_USAGE, paid)).not.toHaveProperty('knownUsd');
});

it('shows the latest steps and counts the earlier ones', () => {
  const step = (label: string) => ({
    step: 'validate',
    label,
    state: 'done' as const,
    startedAt: 0,
    reasks: label === 'b' ? 1 : 0,
    cached: label === 'c|d',
  });
  expect(progressTable(['a', 'b', 'c|d'].map(step), 2).split('\n')).toEqual([
    '| step | of | state |',
    '| --- | --- | --- |',
    '| ... | 1 earlier steps | |',
    '| validate | b | done, asked again 1x |',
    '| validate | c d | done, from cache |',
  ]);
});

it('adds up what was written into caches, stated, and not told', () => {
  const stated = { ...paid, costUsd: 0.25, statedUsd: 0.25, writtenPromptTokens: 30 };
  const untold = { ...paid, promptTokens: 0, cachedPromptTokens: 0, completionTokens: 0 };
  const both = addCall(addCall(NO_USAGE, paid), { ...untold, costUsd: null, uncounted: 1 });
  expect(both).toMatchObject({ promptTokens: 100, completionTokens: 10, uncounted: 1 });
  expect(both).toMatchObject({ costUsd: null, knownUsd: 0.5 });
  const all = addUsage(addCall(both, stated), addCall(NO_USAGE, stated));
  expect(all).toMatchObject({ uncounted: 1, statedUsd: 0.5, writtenPromptTokens: 60, knownUsd: 1 });
  for (const field of ['uncounted', 'statedUsd', 'writtenPromptTokens']) {
    expect(addCall(NO_USAGE, paid)).not.toHaveProperty(field);
  }
});
