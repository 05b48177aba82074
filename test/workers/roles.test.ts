/** Workers for one part each: what is needed of all, and which queue each part goes over. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Role } from '../../core/roles.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { startHarness } from '../support/harness.js';
import { handleOf, scheduledIn } from '../support/history.js';
import { testPorts } from '../support/ports.js';

const SOON = { timeout: 90_000 };

const QUESTION = { question: 'Who built the dam?', options: { passages: 3 } };

it('answers a question with a worker for each part, the search on a queue of its own', async () => {
  const taskQueue = `test-${randomUUID()}`;
  const model = scriptedModel([{ step: 'read', say: 'Bell' }]);
  const ports = testPorts(model);
  const start = (role: Role) => startHarness(model, ports, { taskQueue, roles: [role] });
  const { client, connection } = await start('questions');
  const handle = await client.start('base', QUESTION);
  const queuesOf = async () => {
    const history = await handleOf(connection, handle.workflowId).fetchHistory();
    return scheduledIn(history).map(({ name, queue }) => [name, queue]);
  };
  await expect.poll(queuesOf, SOON).toHaveLength(1);
  expect(model.requests).toHaveLength(0);

  const withoutSearch = { questions: 1, models: 0, retrieval: 0 };
  await expect
    .poll(async () => (await client.describeDeployment()).unversioned, SOON)
    .toEqual(withoutSearch);

  await start('retrieval');
  await expect.poll(queuesOf, SOON).toHaveLength(2);
  expect(model.requests).toHaveLength(0);

  await start('models');
  const { answer, evidence } = await handle.result();
  expect({ answer, evidence }).toEqual({ answer: 'Bell', evidence: ['p1', 'p2', 'p3'] });
  expect(await queuesOf()).toEqual([
    ['retrieve', `${taskQueue}-search`],
    ['read', `${taskQueue}-llm`],
  ]);
});

it('goes on with a question that began where one worker does everything', async () => {
  const taskQueue = `test-${randomUUID()}`;
  const model = scriptedModel([
    { step: 'read', say: 'Bell' },
    { step: 'read', say: 'Watt' },
  ]);
  const all = await startHarness(model, {}, { taskQueue });
  const { ports } = all;
  const first = await all.client.ask('base', QUESTION);
  await all.close();
  expect(first.answer).toBe('Bell');

  // What was left half way was to search beside its workflow, or over the queue of searches.
  const questions = await startHarness(model, ports, { taskQueue, roles: ['questions'] });
  const handle = await questions.client.start('base', { ...QUESTION, question: 'And the bridge?' });
  await expect.poll(async () => (await handle.progress()).steps.length, SOON).toBe(1);
  await questions.close();
  const again = await startHarness(model, ports, { taskQueue });
  const joined = await again.client.start('base', { ...QUESTION, question: 'And the bridge?' });
  expect(joined.workflowId).toBe(handle.workflowId);
  expect(await joined.result()).toMatchObject({ answer: 'Watt' });
});
