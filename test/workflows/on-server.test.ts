/**
 * The same question in this process and on a Temporal server: the same prompts, the same result,
 * though here the calls return in the opposite order.
 */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { createPromptLibrary } from '../../activities/runtime/prompts.js';
import { createClient } from '../../client/create-client.js';
import type { MethodResult } from '../../core/result.js';
import { withSteps } from '../../interpreters/find-own-steps.js';
import { methodRegistry, methods } from '../../interpreters/methods.js';
import { ownSteps } from '../../steps/own-steps.js';
import { contentStore } from '../../stores/content-store.js';
import { MemoryStore } from '../../stores/memory-store.js';
import {
  type RecordedRequest,
  type ScriptedReply,
  scriptedModel,
} from '../../testing/scripted-model.js';
import { bundleWorkflows } from '../../workers/workflow-bundle.js';
import { startHarness } from '../support/harness.js';
import { exampleAgent, noteService } from '../support/own-agent.js';
import { questions } from '../support/recordings/index.js';
import { soon } from '../support/run.js';
import { runOnServer } from '../support/run-on-server.js';
import { runScripted, says, turned } from '../support/run-scripted.js';

/** What only a server does, and what depends on which of several calls was back first. */
const OF_A_SERVER = new Set([
  'base-local-in-vain',
  'base-without-search-attributes',
  'sure-eager',
  'sure-cancelled',
  'sure-failed',
]);

const alike = Object.entries(questions).filter(([name]) => !OF_A_SERVER.has(name));
/** One of every method, and each way in which a question of any can come in, and go out. */
const asked = alike.filter(
  ([name, { method }], i) =>
    name.startsWith('base-') || i === alike.findIndex(([, one]) => one.method === method),
);

/** What was said on the server to each prompt, whichever of several calls was the first there. */
function said(
  script: readonly ScriptedReply[],
  requests: readonly RecordedRequest[],
): ScriptedReply[] {
  return requests.map(({ step, prompt, request: { seed }, line = 0 }) => ({
    step,
    say: script[line]?.say ?? '',
    ...(seed !== undefined && { seed }),
    when: new RegExp(`^${prompt.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`),
  }));
}

const prompts = (requests: readonly RecordedRequest[]) =>
  requests.map(({ step, request }) => JSON.stringify([step, request])).sort();

/** Everything but what differs between two runs of the same: names, and times. */
const comparable = ({ workflowId: _, build: __, workingSeconds: ___, ...result }: MethodResult) =>
  result;

it.each(asked)('%s', async (_, { method, script, input, outcome = 'answered', changes }) => {
  const server = await runOnServer(method, script, input, await changes?.());
  const here = await runScripted(
    method,
    turned(said(script, server.model.requests)),
    input,
    await changes?.(),
  );
  expect(here.result.outcome).toBe(outcome);
  expect(comparable(here.result)).toEqual(comparable(server.result));
  expect(prompts(here.model.requests)).toEqual(prompts(server.model.requests));
});

it('holds for every method', () => {
  expect(new Set(asked.map(([, { method }]) => method))).toEqual(new Set(Object.keys(methods)));
});

it('carries out an action with side effects under one key, whatever fails on the way', async () => {
  const gone: (() => void)[] = [];
  const notes = await noteService((number, response) => {
    // The first attempt is refused; the second one is never answered, and its worker stops.
    if (number === 0) response.writeHead(500).end();
    else if (number === 1) gone.push(() => response.destroy());
    else response.writeHead(201).end();
  });
  const { methods: own = [], steps: declared = [] } = await withSteps({
    methods: [await exampleAgent()],
    steps: [],
  });
  const { steps, actions, prompts: texts } = ownSteps(declared);
  const replies = ['Note: seven patents', 'Sum: 3 + 4', 'Note: seven patents', 'Answer: 7'];
  const model = scriptedModel(says('plan', ...replies, 'Note: too dear'));
  const { code } = await bundleWorkflows({ methods: own });
  const parts = {
    methods: methodRegistry(own),
    steps,
    actions,
    prompts: createPromptLibrary(undefined, texts, contentStore(new MemoryStore())),
  };
  const first = await startHarness(model, parts, { code, graceSeconds: 0 });
  const { connection, taskQueue } = first;
  const client = await createClient({ connection, taskQueue, methods: own });
  // A loaded module has no types.
  const agent = 'agent' as 'base';
  const workflowId = randomUUID();
  const handle = await client.start(agent, { question: 'How many?' }, { workflowId });
  await soon(() => expect(notes).toHaveLength(2));
  await first.workers.stop();
  await startHarness(model, first.ports, { code, taskQueue });
  expect(await handle.result()).toMatchObject({ answer: '7', usage: { calls: 4 } });
  expect(gone).toHaveLength(1);

  const key = expect.stringMatching(new RegExp(`^${workflowId} fileNote [0-9a-f]{32}$`));
  expect(notes).toEqual(Array(3).fill({ key, body: 'seven patents' }));
  expect(new Set(notes.map((note) => note.key)).size).toBe(1);

  // What may cost no more is not carried out either.
  const poor = { question: 'How much?', budgetPerQuestionUsd: 0.0005 };
  const { failure } = await client.ask(agent, poor, { workflowId: randomUUID() });
  expect(failure).toMatchObject({ type: 'QuestionBudget' });
  expect(notes).toHaveLength(3);
}, 60_000);
