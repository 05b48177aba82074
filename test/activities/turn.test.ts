/** What a call's turn learns from the counts that its provider reports. */
import { expect, test } from 'vitest';
import { inTurn } from '../../activities/runtime/turn.js';
import type { TokenUsage } from '../../llm/language-model.js';
import { TokenEstimates } from '../../llm/rates/token-estimates.js';
import type { TokenLimiter } from '../../llm/rates/token-limiter.js';
import { attempt } from '../support/activity.js';
import { completionOf, requestOf, tokens } from '../support/completion.js';

const request = requestOf('x'.repeat(400), { maxTokens: 30 });

/** What is settled after a call with this usage, and what the next one is expected to take. */
async function after(usage: TokenUsage) {
  const settled: number[] = [];
  const place = { startsAt: 0, tokens: 110, limit: 1000 };
  const limiter: TokenLimiter = {
    reserve: async () => ({ granted: true, reservation: place }),
    settle: async (_, tokens) => void settled.push(tokens),
    limit: async () => 1000,
    setLimit: async () => {},
  };
  const estimates = new TokenEstimates();
  const asked = async () => completionOf({ usage });
  const { failure } = await attempt(async () => {
    const { settle } = await inTurn(limiter, estimates, request, { times: 0 }, asked);
    await settle();
  });
  expect(failure).toBeUndefined();
  return { settled, next: estimates.estimate(request) };
}

test('counts that are told are settled and learned', async () => {
  expect(await after(tokens(200, 6))).toEqual({ settled: [206], next: 206 });
});

test.each([0, 1e300])('%d tokens are none: what was estimated stands', async (promptTokens) => {
  expect(await after(tokens(promptTokens))).toEqual({ settled: [], next: 110 });
});
