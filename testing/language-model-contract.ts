import assert from 'node:assert/strict';
import type {
  Completion,
  CompletionRequest,
  GenerationEnd,
  LanguageModel,
  Message,
  OutputSchema,
  TokenUsage,
} from '../llm/language-model.js';
import { type ContractCase, caseWith } from './contract-case.js';
import {
  assertNoSecret,
  assertRequests,
  assertUsage,
  failureCases,
  never,
  type ProviderParts,
  type Scenario,
} from './provider-scenario.js';

/** A request as the provider received it, in the fields of `CompletionRequest`. */
export interface ReceivedRequest {
  messages: readonly Message[];
  /** Maximum number of tokens of the answer; undefined if the request sets no limit. */
  maxTokens: number | undefined;
  /** The received texts at which the answer stops; undefined if there were none. */
  stop?: readonly string[] | undefined;
  /** The received JSON schema of the answer; undefined if there was none. */
  schema?: OutputSchema | undefined;
}

/**
 * A test scenario of `languageModelContract`: the model to be tested, the requests that its
 * provider has received, and the tokens that every answer reports.
 */
export interface AnsweringScenario extends Scenario<LanguageModel> {
  /** Returns the requests received so far. */
  received(): readonly ReceivedRequest[];
  /** The tokens that every answer reports; null if the provider reports none. */
  usage: Pick<TokenUsage, 'promptTokens' | 'completionTokens'> | null;
}

/**
 * The options of `languageModelContract`: for each behaviour of a provider, a function that
 * returns a scenario with the language model to be tested.
 */
export interface LanguageModelParts extends ProviderParts<LanguageModel> {
  /** Returns a model whose provider answers. */
  answers(): Promise<AnsweringScenario>;
  /** Name of a model of the provider. @default 'some-model' */
  model?: string;
  /** The optional parameters that the model passes on to its provider. @default none */
  takes?: readonly ('schema' | 'stop')[];
  /** Returns a model whose provider answers with more text than `maxTokens` allows. */
  runsOver?(): Promise<Scenario<LanguageModel>>;
}

/**
 * Returns an array of test cases, each with `name` and `run`, for a language model; behaviour
 * without a scenario is not tested.
 *
 * @example
 * const cases = languageModelContract({
 *   answers: async () => ({
 *     model: myModel(server),
 *     received: () => server.requests,
 *     usage: { promptTokens: 20, completionTokens: 2 },
 *   }),
 *   fails: { RateLimited: async () => ({ model: myModel(busyServer) }) },
 *   secrets: [key],
 * });
 */
export function languageModelContract(parts: LanguageModelParts): ContractCase[] {
  const { runsOver, secrets, model: name = 'some-model', takes = [] } = parts;
  const answers = async (): Promise<AnsweringScenario> => {
    const scenario = await parts.answers();
    return { requests: () => scenario.received().length, ...scenario };
  };
  const request: CompletionRequest = {
    model: name,
    messages: [
      { role: 'system', content: 'You answer in one word.' },
      { role: 'user', content: 'What is the capital of France? Grüße, 世界 🌍' },
      { role: 'assistant', content: 'Paris' },
      { role: 'user', content: 'And of "Italy"?\n' },
    ],
    temperature: 0,
    maxTokens: 16,
  };
  const ask = (model: LanguageModel, change: Partial<CompletionRequest> = {}) =>
    model.complete({ ...request, ...change }, never());

  const testCase = (name: string, check: (scenario: AnsweringScenario) => Promise<void>) =>
    caseWith(answers, name, check);

  return [
    testCase(
      'answers with text, usage, price and served model, by one request',
      async (scenario) => {
        const completion = await ask(scenario.model);
        assertCompletion(completion);
        assert.equal(completion.end, 'finished');
        assertNoSecret(completion, secrets);
        assertRequests(scenario, 1);
      },
    ),
    testCase('sends every message as it is, in its role and place', async ({ model, received }) => {
      await ask(model);
      const [first] = received();
      const sent = first?.messages.map(({ role, content }) => ({ role, content }));
      assert.deepEqual(sent, request.messages);
    }),
    testCase('sends the limit of tokens, with room for thoughts at most', async (scenario) => {
      const { model, received } = scenario;
      await ask(model);
      await ask(model, { maxTokens: request.maxTokens + 100 });
      const [low, high] = received().map(({ maxTokens }) => maxTokens);
      assert.ok(low !== undefined && high !== undefined, 'no limit arrives');
      assert.ok(low >= request.maxTokens, `${low} tokens, and ${request.maxTokens} were asked`);
      assert.equal(high - low, 100, 'the limit that arrives differs');
    }),
    testCase('reports the tokens that the provider counts', async ({ model, usage }) => {
      const reported = (await ask(model)).usage;
      if (!usage) return;
      assert.ok(reported, 'no tokens are reported');
      const { promptTokens, completionTokens } = reported;
      assert.deepEqual({ promptTokens, completionTokens }, { ...usage });
    }),
    testCase('makes a request for every call, also for the same one', async (scenario) => {
      await ask(scenario.model);
      await ask(scenario.model);
      assertRequests(scenario, 2);
    }),
    testCase('answers calls that are made at the same time', async (scenario) => {
      const calls = Array.from({ length: 5 }, () => ask(scenario.model));
      for (const completion of await Promise.all(calls)) assertCompletion(completion);
      assertRequests(scenario, 5);
    }),
    testCase(
      'accepts sampling, a seed and logprobs, and does not change the request',
      async ({ model }) => {
        const sampled: CompletionRequest = {
          ...structuredClone(request),
          temperature: 0.7,
          topP: 0.9,
          seed: 7,
          logprobs: true,
        };
        const before = structuredClone(sampled);
        assertCompletion(await model.complete(sampled, never()));
        assert.deepEqual(sampled, before);
      },
    ),
    ...takes.map((what) => {
      const name = what === 'schema' ? 'sends a JSON schema as it is' : 'sends the stop texts';
      return testCase(name, async ({ model, received }) => {
        const wished = { schema: SCHEMA, stop: ['\n\n'] }[what];
        await ask(model, { [what]: wished });
        const [sent] = received();
        assert.deepEqual(sent?.[what], wished);
      });
    }),
    ...(runsOver
      ? [
          caseWith(runsOver, 'reports that an answer was cut at the limit', async ({ model }) => {
            const completion = await ask(model);
            assertCompletion(completion);
            assert.equal(completion.end, 'cut');
          }),
        ]
      : []),
    ...failureCases({ ...parts, answers }, (model, signal) => model.complete(request, signal)),
  ];
}

const SCHEMA: OutputSchema = {
  name: 'verdict',
  schema: {
    type: 'object',
    properties: { answer: { type: 'string', enum: ['True', 'False'] } },
    required: ['answer'],
    additionalProperties: false,
  },
};

function isEnd(end: GenerationEnd): boolean {
  return end === 'finished' || end === 'cut' || typeof Object(end).unknown === 'string';
}

function assertCompletion(completion: Completion): void {
  assert.equal(typeof completion.text, 'string');
  assert.ok(isEnd(completion.end), `the end is not valid: ${completion.end}`);
  assertUsage(completion.usage, completion.costUsd);
  assert.ok(typeof completion.servedModel === 'string' && completion.servedModel !== '');
  assert.ok(completion.fingerprint === null || typeof completion.fingerprint === 'string');
  const { logprob } = completion;
  assert.ok(logprob === undefined || logprob <= 0, 'a logarithm of a probability is not above 0');
  // The completion is stored as JSON.
  const { logprob: _, ...rest } = completion;
  assert.deepEqual(JSON.parse(JSON.stringify(rest)), rest);
}
