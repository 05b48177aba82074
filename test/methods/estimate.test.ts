/** What a batch would take: worked out by hand. */
import { expect, test } from 'vitest';
import { estimateBatch, tokensOf } from '../../methods/estimate.js';

const input = {
  questions: 100,
  callsPerQuestion: 7,
  tokens: { prompt: 1500, completion: 100 },
  price: { prompt: 0.15, completion: 0.6 },
};

test('multiplies questions, calls, tokens and prices', () => {
  expect(estimateBatch(input)).toEqual({
    calls: 700,
    promptTokens: 1_050_000,
    completionTokens: 70_000,
    // 1.05 * 0.15 + 0.07 * 0.6
    costUsd: 0.1995,
    minutes: null,
  });
});

test('takes the tighter limit for the time', () => {
  // 700 calls at 70 a minute take 10 minutes; 1,120,000 tokens at 56,000 a minute take 20.
  const limits = { requestsPerMinute: 70, tokensPerMinute: 56_000 };
  expect(estimateBatch({ ...input, ...limits }).minutes).toBe(20);
  expect(estimateBatch({ ...input, requestsPerMinute: 70 }).minutes).toBe(10);
});

test('has no cost where the price is not known', () => {
  expect(estimateBatch({ ...input, price: undefined }).costUsd).toBeNull();
});

test('counts a token for four characters', () => {
  expect([tokensOf(''), tokensOf('abc'), tokensOf('abcdefgh')]).toEqual([0, 1, 2]);
});
