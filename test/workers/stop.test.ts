/** A stop that does not wait for ever: what does not end though it is cancelled is left, and said so. */
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Completion, LanguageModel } from '../../llm/language-model.js';
import { gate } from '../support/batch.js';
import { startHarness } from '../support/harness.js';

const ANSWER: Completion = {
  ...{ text: 'Bell', cut: false, costUsd: 0, servedModel: 'stubborn-1', fingerprint: null },
  usage: { promptTokens: 1, cachedPromptTokens: 0, completionTokens: 1 },
};

it('leaves a call that does not heed its cancellation, with a sentence in place of an error', async () => {
  const held = gate();
  let calls = 0;
  const stubborn: LanguageModel = {
    provider: 'stubborn',
    async complete() {
      calls++;
      if (calls === 1) await held.opened;
      return ANSWER;
    },
  };
  const warnings = vi.spyOn(console, 'warn').mockReturnValue();
  onTestFinished(() => warnings.mockRestore());
  // As the worker of a program that sets its own times.
  const soon = { shutdownGraceTime: 100, shutdownForceTime: 1_000 };
  const first = await startHarness(stubborn, {}, { worker: soon });
  const { taskQueue, ports } = first;
  const handle = await first.client.start('base', { question: 'Who?', options: { passages: 0 } });
  await vi.waitFor(() => expect(calls).toBe(1), { timeout: 20_000 });

  await expect(first.workers.stop()).resolves.toBeUndefined();
  expect(first.workers.hasLeft()).toBe(true);
  expect(warnings.mock.calls).toEqual([
    [expect.stringMatching(/did not end, though it was cancelled: .* begins again with another/)],
  ]);

  // This process lives on, so the call ends after all: the next worker takes what it has paid for.
  held.open();
  const second = await startHarness(stubborn, ports, { taskQueue });
  onTestFinished(async () => {
    await second.close();
    await first.connection.close();
  });
  expect(await handle.result()).toMatchObject({ answer: 'Bell' });
  expect(calls).toBe(1);
  await second.workers.stop();
  expect(second.workers.hasLeft()).toBe(false);
}, 120_000);
