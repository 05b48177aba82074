/** Whole runs at endpoints that refuse something, through both adapters. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunInput } from '../../../core/run/input.js';
import { aiSdkModel } from '../../../llm/ai-sdk/index.js';
import type { LanguageModel } from '../../../llm/language-model.js';
import { createOpenAiModel } from '../../../llm/openai/openai-model.js';
import { type ChatRequest, type ReplySpec, startModelServer } from '../../support/model-server.js';
import { setUpRunShared as setUpRun, soon } from '../../support/run.js';

const adapters: [string, (baseURL: string) => LanguageModel][] = [
  [
    'chat completions',
    (baseUrl) => createOpenAiModel({ baseUrl, timeoutMs: 30_000, prices: new Map() }),
  ],
  [
    'the AI SDK',
    (baseURL) => {
      const near = createOpenAICompatible({ name: 'near', baseURL });
      return aiSdkModel(near, { provider: 'near', warn: () => {} });
    },
  ],
];

const refusing = (message: string): ReplySpec => ({ status: 400, body: { error: { message } } });
const BELL: ReplySpec = { text: 'Bell' };

describe.each(adapters)('through %s', (_, make) => {
  /** Starts a run at an endpoint that answers so. */
  async function runAt(
    questions: number,
    reply: (request: ChatRequest) => ReplySpec,
    input: Partial<RunInput> = {},
  ) {
    const server = await startModelServer({ reply });
    onTestFinished(() => server.close());
    const at = { llm: make(server.baseUrl) };
    const { client, spec, harness } = await setUpRun(questions, () => 'Bell', input, undefined, at);
    return { server, client, spec, harness, handle: await client.startRun(spec) };
  }

  it('a model that is not there pauses the run at once, whatever the status', async () => {
    let isThere = false;
    const { handle, server } = await runAt(12, ({ model }) =>
      isThere ? BELL : refusing(`${model} is not a valid model ID`),
    );
    await soon(async () =>
      expect(await handle.progress()).toMatchObject({
        done: 0,
        running: 0,
        pause: { reason: 'UnknownModel' },
      }),
    );
    expect(server.requests.length).toBeLessThanOrEqual(12);
    isThere = true;
    await handle.resume();
    expect(await handle.result()).toMatchObject({ done: 12, outcomes: { answered: 12 } });
  });

  it('a temperature of which only one is allowed is left out', async () => {
    const { handle, server } = await runAt(4, ({ temperature = 1 }) =>
      temperature === 1 ? BELL : refusing('invalid temperature: only 1 is allowed for this model'),
    );
    expect(await handle.result()).toMatchObject({ done: 4, outcomes: { answered: 4 } });
    const accepted = server.requests.filter(({ body }) => body.temperature === undefined);
    expect(accepted).toHaveLength(4);
  });

  it('a model that thinks, with a context of 8k, answers every question', async () => {
    const { handle, server, client, spec, harness } = await runAt(
      24,
      ({ messages, max_tokens }) => {
        const prompt = Math.ceil(messages.map(({ content }) => content).join('').length / 4);
        if (prompt + Number(max_tokens) <= 8192) {
          const completion_tokens_details = { reasoning_tokens: 8 };
          const usage = { prompt_tokens: prompt, completion_tokens: 9, completion_tokens_details };
          return { ...BELL, usage };
        }
        return refusing(
          `'max_tokens' is too large: ${max_tokens}. The context has 8192 tokens, and your request ` +
            `has ${prompt} input tokens.`,
        );
      },
      { concurrency: 4 },
    );
    expect(await handle.result()).toMatchObject({ done: 24, outcomes: { answered: 24 } });
    const limits = server.requests.map(({ body }) => Number(body.max_tokens));
    expect(limits.some((limit) => limit > 8192)).toBe(true);
    // From then on it is asked with less, and with more than an answer without thoughts has.
    expect(limits.at(-1)).toBeGreaterThan(7000);
    expect(limits.at(-1)).toBeLessThan(8192);
    // The limit is no part of a response's key: a worker that has not learned it finds all of them.
    const asked = server.requests.length;
    harness.ports.llm = make(server.baseUrl);
    const again = await client.startRun({ ...spec, run: `${spec.run}-again` });
    expect(await again.result()).toMatchObject({ done: 24, usage: { calls: 24, cachedCalls: 24 } });
    expect(server.requests).toHaveLength(asked);
  });

  it('pauses if its first questions all fail alike, and asks them again', async () => {
    let isMended = false;
    const { handle } = await runAt(9, () => (isMended ? BELL : refusing('The lever is not set.')), {
      concurrency: 3,
    });
    await soon(async () =>
      expect(await handle.progress()).toMatchObject({
        done: 0,
        running: 0,
        outcomes: { failed: 0 },
        pause: {
          reason: 'BadRequest',
          message: expect.stringMatching(
            /^The first 5 questions failed alike.*The lever is not set/,
          ),
        },
      }),
    );
    isMended = true;
    await handle.resume();
    expect(await handle.result()).toMatchObject({ done: 9, outcomes: { answered: 9, failed: 0 } });
  });
});
