/** What a call's turn takes of a limit of tokens, and learns from the counts of its provider. */
import { expect, test } from 'vitest';
import { inTurn } from '../../activities/runtime/paid-call.js';
import type { Ports } from '../../activities/runtime/ports.js';
import { Failure } from '../../core/failure.js';
import type { TokenUsage } from '../../llm/language-model.js';
import { TokenEstimates } from '../../llm/rates/token-estimates.js';
import type { TokenLimiter } from '../../llm/rates/token-limiter.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { attempt, attempts } from '../support/activity.js';
import { completionOf, requestOf, tokens } from '../support/completion.js';
import { testPorts } from '../support/ports.js';
import { answer } from './paying.js';

const request = requestOf('x'.repeat(400), { maxTokens: 30 });

/** A limiter that has room, and what it was asked for and told. */
function roomy() {
  const reserved: number[] = [];
  const used: number[] = [];
  const place = { startsAt: 0, tokens: 110, limit: 1000 };
  const limiter: TokenLimiter = {
    async reserve({ tokens }) {
      reserved.push(tokens);
      return { granted: true, reservation: place };
    },
    reconcile: async (_, count) => void used.push(count),
    limit: async () => 1000,
    setLimit: async () => {},
  };
  return { limiter, reserved, used };
}

/** The tokens counted for a call with this usage, and the estimate of the next call. */
async function after(usage: TokenUsage) {
  const { limiter, used } = roomy();
  const estimates = new TokenEstimates();
  const asked = async () => ({ completion: completionOf({ usage }) });
  const { failure } = await attempt(async () => {
    const { reconcile } = await inTurn(limiter, estimates, request, { times: 0 }, asked);
    await reconcile();
  });
  expect(failure).toBeUndefined();
  return { used, next: estimates.estimate(request) };
}

test('counts of the provider replace the estimate, and are learned', async () => {
  expect(await after(tokens(200, 6))).toEqual({ used: [206], next: 206 });
});

test.each([0, 1e300])('%d tokens are none: what was estimated stands', async (promptTokens) => {
  expect(await after(tokens(promptTokens))).toEqual({ used: [], next: 110 });
});

test('gives back what a refused call did not use, keeps what one may have, takes none for what is kept', async () => {
  const { limiter, reserved, used } = roomy();
  const model = scriptedModel([
    { step: 'read', say: new Failure('RateLimited', 'Too many.') },
    { step: 'read', say: new Failure('Connection', 'Reset.') },
    { step: 'read', say: 'Bell' },
  ]);
  const ports = testPorts(model, { tokens: limiter }) as Ports;
  const ask = () => answer(ports, { model: 'm' });
  const { value } = await attempts(ask, 9);
  expect(value).toMatchObject({ value: 'Bell', usage: { estimated: { attempts: 1 } } });
  expect(used).toEqual([0, 110]);
  expect((await attempt(ask, { id: 'another' })).value?.usage.cached).toBe(true);
  expect(reserved).toHaveLength(3);
});
