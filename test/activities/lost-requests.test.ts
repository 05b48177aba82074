/** What requests that gave no answer may cost is counted, of calls as of vectors and scores. */
import { beforeEach, describe, expect, it } from 'vitest';
import { Failure, type FailureType } from '../../core/failure.js';
import { attempt } from '../support/activity.js';
import { ownClock } from '../support/own-clock.js';
import { gate } from '../support/run.js';
import { answer, PAYING, payingPorts, TAKEN } from './paying.js';
import { cancelling } from './paying-workers.js';

/** What a request meets: a failure, an answer, or silence until it is given up. */
type Said = Failure | 'answer' | 'silence';

function worker(script: Said[], named: { provider?: string; model?: string } = {}) {
  const sent: string[] = [];
  const silent = gate();
  const ports = payingPorts(async (texts, signal) => {
    sent.push(...texts);
    const said = script.shift();
    if (said instanceof Failure) throw said;
    if (said === 'answer') return;
    silent.open();
    await new Promise((_, fail) => {
      signal.addEventListener('abort', () => fail(signal.reason));
    });
  }, named);
  const tokensSent = () => sent.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
  return { ports, isSilent: silent.opened, tokensSent };
}

beforeEach(ownClock);

describe.each(PAYING)('a request for %s', (_, ask) => {
  it.each<FailureType>(['Timeout', 'Connection', 'MalformedResponse'])(
    'is counted after a failure of type %s, with all its texts',
    async (type) => {
      const { ports, tokensSent } = worker([new Failure(type, 'No answer.'), 'answer']);
      const first = await attempt(() => ask(ports));
      const least = tokensSent();
      const { value } = await attempt(() => ask(ports), { details: first.details });
      const { estimated } = value?.usage ?? {};
      expect(estimated).toMatchObject({ attempts: 1, repeated: 0 });
      const { promptTokens = 0, completionTokens = 0 } = estimated ?? {};
      expect(promptTokens).toBeGreaterThanOrEqual(least);
      expect(completionTokens > 0).toBe(ask === answer);
      // A dollar for a million tokens.
      const usd = (promptTokens + completionTokens) / 1e6;
      expect(estimated?.costUsd).toBeCloseTo(usd, 12);
      expect(value?.usage.costUsd).toBeCloseTo(TAKEN.costUsd + usd, 12);
      expect(value?.usage.promptTokens).toBe(8 + promptTokens);
    },
  );

  it.each([
    new Failure('RateLimited', 'Later.'),
    new Failure('Overloaded', 'Later.'),
    new Failure('Connection', 'Nothing answers.', {
      cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    }),
  ])('is not counted where it was refused ($type)', async (failure) => {
    const { ports } = worker([failure, 'answer']);
    const first = await attempt(() => ask(ports));
    const { value } = await attempt(() => ask(ports), { details: first.details });
    expect(value?.usage).not.toHaveProperty('estimated');
    expect(value?.usage.costUsd).toBe(TAKEN.costUsd);
  });

  it('is counted where it took longer than it may, and told by an activity that fails', async () => {
    const { ports } = worker(['silence', 'silence']);
    const first = await attempt(() => ask(ports, { timeoutSeconds: 1 }));
    expect(first.failure).toMatchObject({
      type: 'Timeout',
      details: [{ estimated: { attempts: 1 } }],
    });
    const second = await attempt(() => ask(ports, { timeoutSeconds: 1 }), {
      details: first.details,
    });
    expect(second.failure?.details).toMatchObject([{ estimated: { attempts: 2 } }]);
  });

  it('costs nothing where the model is on this machine, and an unknown sum without a price', async () => {
    const costOf = async (named: { provider?: string; model?: string }) => {
      const { ports } = worker([new Failure('Timeout', 'No answer.')], named);
      const { failure } = await attempt(() => ask(ports));
      return failure?.details;
    };
    const unpriced = { model: 'unpriced' };
    expect(await costOf({ ...unpriced, provider: 'local' })).toMatchObject([
      { estimated: { costUsd: 0 } },
    ]);
    expect(await costOf({ ...unpriced, provider: 'http://127.0.0.1:8080/v1' })).toMatchObject([
      { estimated: { costUsd: 0 } },
    ]);
    expect(await costOf(unpriced)).toMatchObject([{ estimated: { costUsd: null } }]);
  });

  it('is told where it is cancelled under way', async () => {
    const { ports, isSilent } = worker(['silence']);
    const { options, cancel } = cancelling({ cancelRequested: true });
    const open = attempt(() => ask(ports), options);
    await isSilent;
    cancel();
    expect((await open).failure).toMatchObject({
      name: 'CancelledFailure',
      details: [{ estimated: { attempts: 1, repeated: 0 } }],
    });
  });
});
