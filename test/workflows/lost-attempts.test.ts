/** A question tells what its attempts without an answer may have cost, answered or not. */
import { expect, it } from 'vitest';
import { Failure } from '../../core/failure.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { sharedHarness } from '../support/harness.js';
import { handleOf } from '../support/history.js';

const late = () => ({ step: 'read', say: new Failure('Timeout', 'No answer.') });

it.each([
  ['answered', { step: 'read', say: 'Bell' }, 1, 1],
  ['failed', late(), 0, 2],
])('a question that is %s', async (outcome, last, calls, attempts) => {
  const { client, id } = await sharedHarness(scriptedModel([late(), last]));
  const input = { question: 'Who?', retrieval: { corpus: 'sample' }, limits: { attempts: 2 } };
  const result = await client.ask('base', input, { workflowId: id });
  expect(result).toMatchObject({
    outcome,
    usage: { calls, estimated: { attempts, repeated: 0 } },
    steps: { read: { calls, estimated: { attempts } } },
  });
  const { costUsd, estimated } = result.usage;
  expect(estimated?.costUsd).toBeGreaterThan(0);
  expect(costUsd).toBeCloseTo((estimated?.costUsd ?? 0) + 0.001 * calls, 12);
});

it('does not take the wait between attempts for work', async () => {
  const busy = new Failure('RateLimited', 'Later.', { retryAfterMs: 2_000 });
  const model = scriptedModel([
    { step: 'read', say: busy },
    { step: 'read', say: 'Bell', delayMs: 80 },
  ]);
  const { client, id, connection } = await sharedHarness(model);
  const input = { question: 'Who waits?', retrieval: { corpus: 'sample' } };
  const result = await client.ask('base', input, { workflowId: id });
  expect(result.outcome).toBe('answered');
  const { startTime, closeTime } = await handleOf(connection, id).describe();
  const wall = Number(closeTime) - Number(startTime);
  const working = 1000 * Number(result.workingSeconds);
  // However slow the machine is: the attempts are two seconds apart.
  expect(working).toBeGreaterThanOrEqual(79);
  expect(working).toBeLessThanOrEqual(wall - 2_000);
});
