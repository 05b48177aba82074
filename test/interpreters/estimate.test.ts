/** What a run would take: worked out by hand. */
import { expect, test } from 'vitest';
import { estimateRun, type StepTokens, tokensOf } from '../../core/estimate.js';

const step = (name: string, more: Partial<StepTokens> = {}): StepTokens => ({
  step: name,
  model: 'm',
  calls: 0,
  prompt: 0,
  completion: 0,
  embedded: 0,
  ...more,
});
const steps = [
  step('read', { calls: 100, prompt: 150_000, completion: 10_000 }),
  step('validate', { model: 'small', calls: 600, prompt: 900_000, completion: 60_000 }),
  step('rankBySimilarity', { model: '', calls: 100, embedded: 5000 }),
];
const prices = new Map([
  ['m', { prompt: 1, completion: 2 }],
  ['small', { prompt: 0.1, completion: 0.2 }],
]);
const priceOf = (model: string) => prices.get(model);

test('adds up calls and tokens, each step at the price of its model', () => {
  expect(estimateRun(steps, priceOf)).toEqual({
    calls: 800,
    prompt: 1_050_000,
    completion: 70_000,
    embedded: 5000,
    // 0.15 * 1 + 0.01 * 2 + 0.9 * 0.1 + 0.06 * 0.2
    costUsd: expect.closeTo(0.272, 10),
    knownUsd: expect.closeTo(0.272, 10),
    unpriced: [],
    minutes: null,
  });
});

test('takes the tighter limit for the time', () => {
  // 800 calls at 80 a minute take 10 minutes; 1,120,000 tokens at 56,000 a minute take 20.
  const limits = { requestsPerMinute: 80, tokensPerMinute: 56_000 };
  expect(estimateRun(steps, priceOf, limits).minutes).toBe(20);
  expect(estimateRun(steps, priceOf, { requestsPerMinute: 80 }).minutes).toBe(10);
});

test('has no cost where a price is not known, and says which, and what the others cost', () => {
  const judge = step('judge', { model: 'judge-1', calls: 1, prompt: 10 });
  expect(estimateRun([...steps, judge], priceOf)).toMatchObject({
    costUsd: null,
    knownUsd: expect.closeTo(0.272, 10),
    unpriced: ['judge-1'],
  });
  expect(estimateRun(steps, () => undefined).costUsd).toBeNull();
  expect(estimateRun([], () => undefined).costUsd).toBe(0);
});

test.each([
  // What o200k and cl100k make of it; of pictures the latter makes 14.
  ['Alexander Graham Bell was a Scottish-born inventor.', 9, 9],
  [
    '亚历山大·格拉汉姆·贝尔是苏格兰出生的发明家，被认为在一八七六年获得了第一部实用电话的专利。',
    40,
    56,
  ],
  ['Александр Грэхем Белл был изобретателем шотландского происхождения', 19, 34],
  ['ベルは、1876年に最初の実用的な電話の特許を取得したとされる発明家です。', 29, 37],
  ['कान और आवाज़ के शिक्षक ने टेलीफोन का आविष्कार किया', 16, 51],
  ['🙂🎉🚀🔬📞', 9, 9],
])('counts no less for %s than tokenizers do', (text, o200k, cl100k) => {
  expect(tokensOf(text)).toBeGreaterThanOrEqual(o200k);
  expect(tokensOf(text)).toBeGreaterThanOrEqual(cl100k);
  expect(tokensOf(text)).toBeLessThanOrEqual(4 * o200k);
});

test('counts a token for four characters', () => {
  expect([tokensOf(''), tokensOf('abc'), tokensOf('abcdefgh')]).toEqual([0, 1, 2]);
});
