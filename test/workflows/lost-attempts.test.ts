/** A question tells what its attempts without an answer may have cost, answered or not. */
import { expect, it } from 'vitest';
import { Failure } from '../../core/failure.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { sharedHarness } from '../support/harness.js';

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
