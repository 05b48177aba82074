/** A step whose own code throws: told once with its name, and what was paid for it is counted. */
import { expect, it } from 'vitest';
import { createModelActivities } from '../../activities/index.js';
import type { Ports } from '../../activities/runtime/ports.js';
import { answerInProcess } from '../../interpreters/scripted.js';
import { modelSteps } from '../../steps/table.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { attempts } from '../support/activity.js';
import { testPorts } from '../support/ports.js';

/** What comes of a question whose reading step has these parts. */
async function askWith(parts: Partial<typeof modelSteps.read>) {
  const model = scriptedModel([{ step: 'read', say: 'Answer: Bell' }]);
  const ports = testPorts(model, { steps: { read: { ...modelSteps.read, ...parts } } });
  const ask = () => answerInProcess('base', { question: 'Who got the patent?' }, ports);
  return { result: await ask(), again: await ask(), model, ports };
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
  const { result, model, ports } = await askWith({ variables });
  const message = 'The step "read" has a fault: its variables threw "No word.".';
  expect(result).toMatchObject({ outcome: 'failed', failure: { step: 'read', message } });
  expect(result.usage).toMatchObject({ calls: 0, costUsd: 0 });
  expect(model.requests).toEqual([]);
  const { read } = createModelActivities(ports as Ports);
  const input = { question: 'Who?', passages: [], demonstrations: [] };
  const { times } = await attempts(() => read(input, { model: 'm', corpus: null }), 9);
  expect(times).toBe(1);
});
