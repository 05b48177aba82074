/** A step whose own code throws: told once with its name, and what was paid for it is counted. */
import { expect, it, onTestFinished } from 'vitest';
import { modelSteps } from '../../steps/table.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { startHarness } from '../support/harness.js';

/** What comes of a question whose reading step has these parts. */
async function askWith(parts: Partial<typeof modelSteps.read>) {
  const model = scriptedModel([
    { step: 'read', say: 'Answer: Bell' },
    { step: 'read', say: 'Answer: Gray' },
  ]);
  const harness = await startHarness(model, { steps: { read: { ...modelSteps.read, ...parts } } });
  onTestFinished(() => harness.close());
  const ask = () => harness.client.ask('base', { question: 'Who got the patent?' });
  return { result: await ask(), again: await ask(), model };
}

it('fails by a reader, with one paid call for any number of questions', async () => {
  const read = () => {
    throw new TypeError("Cannot read properties of null (reading '1')");
  };
  const { result, again, model } = await askWith({ output: { form: 'anything', read } });
  const failure = {
    type: 'Unexpected',
    step: 'read',
    message: `The step "read" has a fault: its reader threw "Cannot read properties of null (reading '1')".`,
  };
  expect(result).toMatchObject({ outcome: 'failed', failure, usage: { calls: 1, costUsd: 0.001 } });
  expect(again).toMatchObject({ outcome: 'failed', failure, usage: { calls: 1, cachedCalls: 1 } });
  expect(model.requests).toHaveLength(1);
});

it('fails by what fills the prompt before anything is paid', async () => {
  const variables = () => {
    throw new Error('No word.');
  };
  const { result, model } = await askWith({ variables });
  expect(result).toMatchObject({
    outcome: 'failed',
    failure: {
      step: 'read',
      message: 'The step "read" has a fault: its variables threw "No word.".',
    },
    usage: { calls: 0, costUsd: 0 },
  });
  expect(model.requests).toEqual([]);
});
