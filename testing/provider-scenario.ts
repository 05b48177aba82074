/** Scenarios for contract tests: providers that answer, hang, or fail in a known way. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { Failure, type FailureType } from '../core/failure.js';
import type { TokenUsage } from '../llm/language-model.js';
import { type ContractCase, caseWith } from './contract-case.js';

/**
 * A test scenario: a model whose provider behaves in a known way, and a count of the requests to
 * it.
 */
export interface Scenario<M> {
  /** The model to be tested: a language model, an embedding model or a reranker. */
  model: M;
  /** Returns the number of requests so far; left out if they are not counted. */
  requests?(): number;
  /** The wait that a failing provider requests, in milliseconds; left out if it requests none. */
  retryAfterMs?: number;
  /** Called after the test case. */
  close?(): void | Promise<void>;
}

/**
 * Functions that return a model for each behaviour of its provider. The more are given, the more is
 * tested.
 */
export interface ProviderParts<M> {
  /** Returns a model whose provider answers. */
  answers(): Promise<Scenario<M>>;
  /** Returns a model whose provider accepts requests and never answers. */
  hangs?(): Promise<Scenario<M>>;
  /** Functions that return a model whose provider fails, by the expected type of Failure. */
  fails?: Partial<Record<FailureType, () => Promise<Scenario<M>>>>;
  /** Keys and passwords of the model, which must not appear in any result. */
  secrets?: readonly string[];
}

/**
 * Checks the number of requests that a scenario's provider received, if they are counted.
 *
 * @throws AssertionError if it is another one.
 */
export function assertRequests({ requests }: Scenario<unknown>, expected: number): void {
  if (requests) assert.equal(requests(), expected, `${requests()} requests, not ${expected}`);
}

/** Options of `util.inspect` that show all items of arrays and all characters of texts. */
const WHOLE = { depth: 10, showHidden: true, maxArrayLength: null, maxStringLength: null } as const;

/**
 * Checks that no secret is in a text, or in any other value as `util.inspect` prints it to a depth
 * of ten, hidden properties included. Does nothing without secrets.
 *
 * @throws AssertionError if one is.
 */
export function assertNoSecret(value: unknown, secrets: readonly string[] = []): void {
  const text = typeof value === 'string' ? value : inspect(value, WHOLE);
  for (const secret of secrets) {
    assert.ok(!text.includes(secret), 'a secret is in the result');
  }
}

/**
 * Checks that token counts, if there are any, are whole numbers of at least 0 that fit each other,
 * and that the cost in US dollars is a number of at least 0, or null.
 *
 * @throws AssertionError if they are not.
 */
export function assertUsage(usage: TokenUsage | null, costUsd: unknown): void {
  if (usage) assertTokens(usage);
  assert.ok(
    costUsd === null || (typeof costUsd === 'number' && costUsd >= 0),
    'the cost is a number of at least 0, or null',
  );
}

function assertTokens(usage: TokenUsage): void {
  const { promptTokens, cachedPromptTokens, writtenPromptTokens = 0, completionTokens } = usage;
  for (const count of [promptTokens, cachedPromptTokens, writtenPromptTokens, completionTokens]) {
    assert.ok(
      Number.isInteger(count) && count >= 0,
      'token counts are whole numbers of at least 0',
    );
  }
  const ofThePrompt = cachedPromptTokens + writtenPromptTokens;
  assert.ok(ofThePrompt <= promptTokens, 'cached and written tokens are prompt tokens');
}

/** Returns a signal that never aborts. */
export const never = (): AbortSignal => new AbortController().signal;

/**
 * Returns an array of the test cases that are the same for every model: that it names its
 * provider, stops when it is cancelled, and throws the expected Failure if its provider fails.
 * None may show a secret.
 *
 * @param call Makes a call of the model.
 */
export function failureCases<M extends { readonly provider: string }>(
  { answers, hangs, fails = {}, secrets }: ProviderParts<M>,
  call: (model: M, signal: AbortSignal) => Promise<unknown>,
): ContractCase[] {
  const reason = new Error('cancelled');
  return [
    caseWith(answers, 'names the provider, and no secret', async ({ model }) => {
      assert.ok(typeof model.provider === 'string' && model.provider !== '');
      assert.equal(model.provider, model.provider);
      assertNoSecret(model.provider, secrets);
    }),
    caseWith(
      answers,
      'sends nothing once it is cancelled, and rejects with the reason',
      async (scenario) => {
        const called = call(scenario.model, AbortSignal.abort(reason));
        await assert.rejects(called, (error) => error === reason);
        assertRequests(scenario, 0);
      },
    ),
    ...(hangs
      ? [
          caseWith(
            hangs,
            'rejects with the reason as soon as it is cancelled',
            async (scenario) => {
              const controller = new AbortController();
              const called = call(scenario.model, controller.signal);
              setTimeout(() => controller.abort(reason), 50);
              await assert.rejects(called, (error) => error === reason);
            },
          ),
        ]
      : []),
    ...Object.entries(fails).map(([type, open]) =>
      caseWith(open, `fails as ${type}, after one request`, async (scenario) => {
        const error = await call(scenario.model, never()).then(
          () => new Error('it did not fail'),
          (thrown: unknown) => thrown,
        );
        assert.ok(error instanceof Failure, `no Failure: ${String(error)}`);
        assert.equal(error.type, type);
        assert.ok(error.message.length > 0, 'the message is empty');
        const { retryAfterMs: wait } = scenario;
        if (wait !== undefined) {
          assert.equal(
            error.retryAfterMs,
            wait,
            'the wait is not the one that the provider requests',
          );
        }
        assertNoSecret(error, secrets);
        if (scenario.requests)
          assert.ok(scenario.requests() <= 1, 'it sent the request more than once');
      }),
    ),
  ];
}
