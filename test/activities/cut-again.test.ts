/** An output that was cut is asked for once more, if its end can be written in time. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createPromptLibrary } from '../../activities/runtime/prompts.js';
import { stepOutput } from '../../activities/runtime/step-output.js';
import { answered } from '../../core/result.js';
import { methodRegistry } from '../../interpreters/methods.js';
import { answerInProcess } from '../../interpreters/scripted.js';
import { createOpenAiModel } from '../../llm/openai/openai-model.js';
import { defineStep } from '../../steps/define.js';
import { text } from '../../steps/outputs/text.js';
import { ownSteps } from '../../steps/own-steps.js';
import { contentStore } from '../../stores/content-store.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { defineMethod, type OwnMethod } from '../../workflows/define-method.js';
import { completionOf } from '../support/completion.js';
import { type ReplySpec, startModelServer } from '../support/model-server.js';
import { testPorts } from '../support/ports.js';

describe('an answer that was cut', () => {
  const half: ReplySpec = { text: 'Lima is the capital, and', finishReason: 'MAX_TOKENS' };
  /** A step whose output is asked again if it was cut. */
  const step = defineStep<{ question: string }, string>({
    name: 'tell',
    prompt: { name: 'tell', text: '{{question}}' },
    maxTokens: 64,
    output: text({ form: 'a text', cut: 'again' }),
    fallback: ({ text }) => text,
  });
  const method = defineMethod({
    name: 'telling',
    title: 'Tells',
    options: z.object({}),
    searches: () => false,
    async algorithm({ question, ask }) {
      return answered(await ask(step, { question }), [], null);
    },
  }) as OwnMethod<unknown>;

  async function told(replies: readonly ReplySpec[], limits: object = {}) {
    const server = await startModelServer({ reply: (_, n) => replies[n] ?? 'reset' });
    onTestFinished(() => server.close());
    const { baseUrl, requests } = server;
    const llm = createOpenAiModel({ baseUrl, timeoutMs: 60_000, prices: new Map() });
    const { steps, prompts } = ownSteps([step]);
    const ports = testPorts(llm, {
      steps,
      methods: methodRegistry([method]),
      prompts: createPromptLibrary(undefined, prompts, contentStore(new MemoryStore())),
    });
    const result = await answerInProcess('telling', { question: 'Which?', limits }, ports);
    const flags = result.flags.map(({ kind, detail }) => `${kind} ${detail.split(': ').at(-1)}`);
    const asked = requests.map(({ body }) => body.max_tokens);
    return { ...result, flags, asked };
  }

  it('is asked again with twice the tokens', async () => {
    const { answer, flags, asked } = await told([half, { text: 'Lima it is.' }]);
    expect({ answer, asked }).toEqual({ answer: 'Lima it is.', asked: [64, 128] });
    expect(flags).toEqual(['reasked "Lima is the capital, and", cut']);
  });

  it('and is cut again is not asked a third time, however often it may be', async () => {
    const { answer, flags, asked } = await told([half, half, half], { reasks: 9 });
    expect({ answer, asked }).toEqual({ answer: half.text, asked: [64, 128] });
    expect(flags.map((flag) => flag.split(' ')[0])).toEqual(['fallback', 'reasked']);
  });

  it('and does not come in time with twice the tokens is not asked a third time', async () => {
    const limits = { reasks: 9, callTimeoutSeconds: 2 };
    const { answer, flags, asked, usage } = await told([half, 'hang', half], limits);
    expect({ answer, asked }).toEqual({ answer: half.text, asked: [64, 128] });
    expect(flags).toEqual([
      'reasked "Lima is the capital, and", cut',
      'fallback asked with twice the tokens, it did not come in time',
    ]);
    expect(usage.estimated).toMatchObject({ attempts: 1, completionTokens: 128 });
  });

  it.each([
    ['60 of 300 s', 60, 64, undefined, 320],
    ['150 of 300 s', 150, 64, undefined, 128],
    ['151 of 300 s', 151, 64, true, 127],
    ['40 s for thoughts as well', 40, 640, undefined, 4800],
    ['299 s, by a count that cannot be', 299, 0, true, 64],
  ])('in %s says what can be written in time', (_, seconds, tokens, tooSlow, mostTokens) => {
    const usage = { promptTokens: 9, cachedPromptTokens: 0, completionTokens: tokens };
    const completion = completionOf({ text: 'Lima is', end: 'cut', usage });
    const pace = { tookMs: seconds * 1000, mostMs: 300_000, maxTokens: 64 };
    const known = { key: 'k', prompt: 'h', cached: false };
    const question = 'Which?';
    const output = stepOutput(step, { question }, completion, { ...known, pace });
    expect([output.tooSlow, output.mostTokens]).toEqual([tooSlow, mostTokens]);
    const batched = stepOutput(step, { question }, completion, known);
    expect(batched).not.toHaveProperty('mostTokens');
    const whole = completionOf({ text: 'Lima.', usage });
    expect(stepOutput(step, { question }, whole, { ...known, pace })).not.toHaveProperty('tooSlow');
  });
});
