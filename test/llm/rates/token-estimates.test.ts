/** Estimates of tokens. */
import { expect, it } from 'vitest';
import { TokenEstimates } from '../../../llm/rates/token-estimates.js';
import { requestOf, tokens } from '../../support/completion.js';

const request = (model: string, characters: number) =>
  requestOf('x'.repeat(characters), { model, maxTokens: 300 });

it('begins with four characters a token and a third of the longest answer', () => {
  expect(new TokenEstimates().estimate(request('a', 4000))).toBe(1100);
});

it('learns from what came back, apart by model', () => {
  const estimates = new TokenEstimates();
  estimates.learn(request('a', 1000), tokens(500, 10));
  expect(estimates.estimate(request('a', 4000))).toBe(2010);
  estimates.learn(request('a', 1000), tokens(500, 30));
  expect(estimates.estimate(request('a', 4000))).toBe(2020);
  expect(estimates.estimate(request('b', 4000))).toBe(1100);
});

it('follows a change after a while', () => {
  const estimates = new TokenEstimates();
  for (let i = 0; i < 200; i++) estimates.learn(request('a', 1000), tokens(250, 10));
  for (let i = 0; i < 100; i++) estimates.learn(request('a', 1000), tokens(250, 110));
  expect(estimates.estimate(request('a', 1000))).toBeGreaterThan(350);
});
