/** The providers of the contracts: those that answer, hang, or fail in a known way. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { Failure, type FailureType } from '../core/failure.js';
import type { TokenUsage } from '../llm/language-model.js';
import { type ContractCase, caseIn } from './contract-case.js';

/** A part with a provider that behaves in some way. */
export interface Scenario<M> {
  model: M;
  /** Returns the number of requests to the provider; left out if they are not counted. */
  requests?(): number;
  /** The wait that a failing provider asks for; left out if none. */
  retryAfterMs?: number;
  close?(): void | Promise<void>;
}

/** The behaviours that you can produce; more of them test more. */
export interface ProviderParts<M> {
  /** The provider answers. */
  answers(): Promise<Scenario<M>>;
  /** The provider takes the request and never answers. */
  hangs?(): Promise<Scenario<M>>;
  /** The provider fails: by the type of the Failure that it is to become. */
  fails?: Partial<Record<FailureType, () => Promise<Scenario<M>>>>;
  /** Keys and passwords that the model was given, which must show nowhere. */
  secrets?: readonly string[];
}

export function assertRequests({ requests }: Scenario<unknown>, expected: number): void {
  if (requests) assert.equal(requests(), expected, `${requests()} requests, not ${expected}`);
}

/** Checks that no secret is in a value, however deep. */
export function assertNoSecret(value: unknown, secrets: readonly string[] = []): void {
  const text = typeof value === 'string' ? value : inspect(value, { depth: 10, showHidden: true });
  for (const secret of secrets) {
    assert.ok(!text.includes(secret), 'a secret shows in what the model gives');
  }
}

export function assertUsage(usage: TokenUsage | null, costUsd: unknown): void {
  if (usage) assertTokens(usage);
  assert.ok(costUsd === null || (typeof costUsd === 'number' && costUsd >= 0), 'a price or null');
}

function assertTokens(usage: TokenUsage): void {
  const { promptTokens, cachedPromptTokens, writtenPromptTokens = 0, completionTokens } = usage;
  for (const count of [promptTokens, cachedPromptTokens, writtenPromptTokens, completionTokens]) {
    assert.ok(Number.isInteger(count) && count >= 0, 'tokens are whole numbers from 0 on');
  }
  const ofThePrompt = cachedPromptTokens + writtenPromptTokens;
  assert.ok(ofThePrompt <= promptTokens, 'cached and written tokens are prompt tokens');
}

export const never = (): AbortSignal => new AbortController().signal;

/** Returns the cases of every port over a provider: it is called off, or the provider fails. */
export function troubleCases<M extends { readonly provider: string }>(
  { answers, hangs, fails = {}, secrets }: ProviderParts<M>,
  call: (model: M, signal: AbortSignal) => Promise<unknown>,
): ContractCase[] {
  const reason = new Error('called off');
  return [
    caseIn(answers, 'names the provider, and no secret', async ({ model }) => {
      assert.ok(typeof model.provider === 'string' && model.provider !== '');
      assert.equal(model.provider, model.provider);
      assertNoSecret(model.provider, secrets);
    }),
    caseIn(
      answers,
      'sends nothing once it is called off, and rejects with the reason',
      async (scenario) => {
        const called = call(scenario.model, AbortSignal.abort(reason));
        await assert.rejects(called, (error) => error === reason);
        assertRequests(scenario, 0);
      },
    ),
    ...(hangs
      ? [
          caseIn(hangs, 'ends at once when it is called off, with the reason', async (scenario) => {
            const controller = new AbortController();
            const called = call(scenario.model, controller.signal);
            setTimeout(() => controller.abort(reason), 50);
            await assert.rejects(called, (error) => error === reason);
          }),
        ]
      : []),
    ...Object.entries(fails).map(([type, open]) =>
      caseIn(open, `fails as ${type}, after one request`, async (scenario) => {
        const error = await call(scenario.model, never()).then(
          () => new Error('it did not fail'),
          (thrown: unknown) => thrown,
        );
        assert.ok(error instanceof Failure, `no Failure: ${String(error)}`);
        assert.equal(error.type, type);
        assert.ok(error.message.length > 0, 'the message says what to do');
        const { retryAfterMs: wait } = scenario;
        if (wait !== undefined) {
          assert.equal(error.retryAfterMs, wait, 'it waits as long as the provider asks');
        }
        assertNoSecret(error, secrets);
        if (scenario.requests) assert.ok(scenario.requests() <= 1, 'it asked again by itself');
      }),
    ),
  ];
}
