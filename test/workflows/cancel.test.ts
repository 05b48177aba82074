/** A question that ends early stops paying: what is open is aborted, and nothing new is asked. */
import { expect, it, onTestFinished } from 'vitest';
import { createOpenAiModel } from '../../llm/openai/openai-model.js';
import type { ScriptedStep } from '../../testing/scripted-model.js';
import { sharedHarness } from '../support/harness.js';
import { handleOf, historyText } from '../support/history.js';
import { type ReplySpec, startModelServer } from '../support/model-server.js';
import { soon } from '../support/run.js';
import { promptOf, QUESTION, searched, telephoneReply } from '../support/telephone.js';

const KEY = 'sk-test-very-secret-0123456789';

/** A worker whose model answers about the telephone, but where `instead` says otherwise. */
async function setUp(instead: (step: ScriptedStep, prompt: string) => ReplySpec | undefined) {
  const server = await startModelServer({
    reply(request) {
      const prompt = promptOf(request);
      const { step, text } = telephoneReply(prompt);
      return instead(step, prompt) ?? { text };
    },
  });
  const llm = createOpenAiModel({
    apiKey: KEY,
    baseUrl: server.baseUrl,
    timeoutMs: 60_000,
    maxRetryAfterMs: 3_600_000,
    prices: new Map(),
  });
  const harness = await sharedHarness(llm);
  onTestFinished(() => server.close());
  const steps = () => server.requests.map(({ body }) => telephoneReply(promptOf(body)).step);
  const input = { question: QUESTION, labels: { run: harness.id } };
  return { server, harness, input, steps };
}

it('aborts the open calls of a cancelled question and asks nothing more', async () => {
  const { server, harness, input, steps } = await setUp((step) =>
    step === 'summarize' ? 'hang' : undefined,
  );
  const handle = await harness.client.start('sure', input);
  await soon(() => expect(server.inFlight).toBe(2));

  const { steps: soFar } = await handle.progress();
  expect(soFar.map(({ step, label, state }) => `${step} ${label}: ${state}`)).toEqual([
    `retrieve 10 for "${QUESTION}": done`,
    'generateCandidates 2 candidates: done',
    'summarize candidate 1: Bell: running',
    'summarize candidate 2: Gray: running',
  ]);

  await handle.cancel();
  expect(await handle.result()).toMatchObject({
    workflowId: handle.workflowId,
    outcome: 'failed',
    answer: null,
    chain: null,
    failure: { type: 'Cancelled' },
    // The provider may bill what was open.
    usage: { calls: 1, estimated: { attempts: 2, repeated: 0 } },
  });
  await soon(() => expect(server.inFlight).toBe(0));
  expect(server.aborted).toBe(2);
  expect(steps()).toEqual(['generateCandidates', 'summarize', 'summarize']);
  const description = await handleOf(harness.connection, handle.workflowId).describe();
  expect(description.status.name).toBe('CANCELLED');
  expect(description.searchAttributes).toMatchObject({ QaOutcome: ['failed'] });
});

it('aborts the call of a turn in the middle, and keeps account of the turns before it', async () => {
  const { server, harness, input } = await setUp((step, prompt) =>
    step === 'think' && searched(prompt) ? 'hang' : undefined,
  );
  const handle = await harness.client.start('taggedSearch', input);
  await soon(() => expect(server.inFlight + server.requests.length).toBe(3));
  const { steps: soFar } = await handle.progress();
  expect(soFar.map(({ step, label, state }) => `${step} ${label}: ${state}`)).toEqual([
    'think turn 1: done',
    'retrieve 3 for "patent": done',
    'think turn 2: running',
  ]);
  await handle.cancel();
  expect(await handle.result()).toMatchObject({
    failure: { type: 'Cancelled' },
    usage: { calls: 1, estimated: { attempts: 1, repeated: 0 } },
  });
  await soon(() => expect(server.inFlight).toBe(0));
  expect(server.aborted).toBe(1);
});

it('does not come back to a provider that asked it to wait', async () => {
  const { server, harness, input, steps } = await setUp((step) =>
    step === 'generateCandidates' ? { status: 429, headers: { 'retry-after': '2' } } : undefined,
  );
  const handle = await harness.client.start('sure', input);
  await soon(() => expect(server.requests[0]?.endedAt).toBeDefined());
  await handle.cancel();
  expect((await handle.result()).failure?.type).toBe('Cancelled');
  await new Promise((done) => setTimeout(done, 3500));
  expect(steps()).toEqual(['generateCandidates']);
});

it('asks a cancelled question anew when it is started again', async () => {
  let hanging = true;
  const { server, harness, input } = await setUp(() => (hanging ? 'hang' : undefined));
  const first = await harness.client.start('base', input);
  await soon(() => expect(server.inFlight).toBe(1));
  await first.cancel();
  expect((await first.result()).failure?.type).toBe('Cancelled');
  hanging = false;
  const second = await harness.client.start('base', input);
  expect(second.workflowId).toBe(first.workflowId);
  expect((await second.result()).answer).toBe('Bell');
});

it('aborts the other calls when one fails for good, and tells no key', async () => {
  const { server, harness, input, steps } = await setUp((step, prompt) => {
    if (step !== 'summarize') return undefined;
    const error = { message: `Incorrect API key provided: ${KEY}.` };
    return prompt.includes('Prediction: (a)') ? 'hang' : { status: 401, body: { error } };
  });
  const result = await harness.client.ask('sure', input);
  expect(result).toMatchObject({
    outcome: 'failed',
    failure: { type: 'Authentication', step: 'summarize' },
    usage: { calls: 1, estimated: { attempts: 1, repeated: 0 } },
    steps: { summarize: { calls: 0, estimated: { attempts: 1 } } },
  });
  await soon(() => expect(server.inFlight).toBe(0));
  expect(server.aborted).toBe(1);
  expect(steps()).toEqual(['generateCandidates', 'summarize', 'summarize']);
  for (const { headers } of server.requests) expect(headers.authorization).toBe(`Bearer ${KEY}`);
  const history = await handleOf(harness.connection, result.workflowId).fetchHistory();
  expect(historyText(history)).toContain('The key was not accepted');
  expect(historyText(history) + JSON.stringify(result)).not.toContain(KEY);
});
