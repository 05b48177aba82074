/** What was paid for is kept before it is read: no parser can make it be paid for again. */
import { expect, it } from 'vitest';
import type { Ports } from '../../activities/runtime/ports.js';
import { modelActivity } from '../../activities/runtime/run-model-step.js';
import { answerInProcess } from '../../interpreters/scripted.js';
import { ResponseCache } from '../../llm/response-cache.js';
import type { ModelStep } from '../../steps/define.js';
import type { Output } from '../../steps/outputs/output.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { attempt, attempts } from '../support/activity.js';
import { testPorts } from '../support/ports.js';

type Step = ModelStep<{ question: string }, string>;

const INPUT = { question: 'Who?' };
const CALL = { model: 'scripted-1', corpus: null };

type Read = Output<string>['read'];

function stepThat(read: Read): Step {
  return {
    name: 'read',
    label: () => '',
    prompt: 'read',
    maxTokens: 8,
    passages: () => [],
    variables: ({ question }) => ({ question, demonstrations: '' }),
    output: { form: 'anything', read },
    fallback: () => 'nothing',
  };
}

function activityOf(read: Read, answers: string[]) {
  const responses = new MemoryStore();
  const model = scriptedModel(answers.map((say) => ({ step: 'read', say })));
  const ports = testPorts(model, { responses: new ResponseCache(responses) }) as Ports;
  const run = modelActivity(stepThat(read), ports);
  return { model, activity: () => run(INPUT, CALL) };
}

it('is paid for once and counted where the parser throws, which is told at once', async () => {
  const { model, activity } = activityOf(() => {
    throw new Error('No such group.');
  }, ['Bell']);
  const { value, times } = await attempts(activity, 10);
  expect(value).toMatchObject({
    fault: 'No such group.',
    usage: { costUsd: 0.001 },
  });
  expect(times).toBe(1);
  const again = await attempt(activity, { id: 'another' });
  expect(again.value).toMatchObject({ fault: 'No such group.', usage: { cached: true } });
  expect(model.requests).toHaveLength(1);
});

it('is read by the parser that a fixed worker has', async () => {
  let isFixed = false;
  const { model, activity } = activityOf(
    ({ text }) => {
      if (!isFixed) throw new Error('No such group.');
      return text;
    },
    ['Bell'],
  );
  await attempt(activity);
  isFixed = true;
  const { value } = await attempt(activity, { id: 'another' });
  expect(value).toMatchObject({ value: 'Bell', usage: { cached: true } });
  expect(model.requests).toHaveLength(1);
});

it('is in the store by the time the parser is called', async () => {
  const responses = new MemoryStore();
  let writes = 0;
  responses.compareAndSet = async () => {
    writes++;
    return true;
  };
  const step = stepThat(({ text }) => `${text}, ${writes} kept`);
  const ports = { responses: new ResponseCache(responses) };
  const model = scriptedModel([{ step: 'read', say: 'Bell' }]);
  const run = modelActivity(step, testPorts(model, ports) as Ports);
  const { value } = await attempt(() => run(INPUT, CALL));
  expect(value?.value).toBe('Bell, 1 kept');
  expect(writes).toBe(1);
});

it('is taken up to a length that the server takes as well', async () => {
  const { model, activity } = activityOf(({ text }) => text, ['\u{1F514}'.repeat(750_000)]);
  const { value } = await attempt(activity);
  expect(value?.cut).toBe(true);
  expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThan(1_000_000);
  const again = await attempt(activity, { id: 'another' });
  expect(again.value).toMatchObject({ value: value?.value, cut: true, usage: { cached: true } });
  expect(model.requests).toHaveLength(1);
});

it('is paid again by another question where it cannot be read, and not where it was asked again', async () => {
  const says = ['...', '(a) Bell', '...', '(a) Gray'];
  const model = scriptedModel(says.map((say) => ({ step: 'generateCandidates', say })));
  const ports = testPorts(model);
  const ask = (more: object = {}) => answerInProcess('sure', { question: 'Who?', ...more }, ports);
  expect(await ask()).toMatchObject({ answer: 'Bell', usage: { calls: 2, cachedCalls: 0 } });
  const second = { answer: 'Bell', usage: { calls: 2, cachedCalls: 1, promptTokens: 100 } };
  expect(await ask()).toMatchObject(second);
  const paid = await ask({ cache: false });
  expect(paid).toMatchObject({ answer: 'Gray', usage: { calls: 1, cachedCalls: 0 } });
  const kept = { calls: 1, cachedCalls: 1, costUsd: 0, savedUsd: paid.usage.costUsd };
  expect(await ask()).toMatchObject({ answer: 'Gray', usage: kept });
  expect(model.requests).toHaveLength(4);
});
