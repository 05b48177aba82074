/** What is recorded: workflows that are run on the test server, each with what its model says. */
import { expect, vi } from 'vitest';
import type { MethodInput } from '../../../core/options/input.js';
import type { Outcome } from '../../../core/result.js';
import type { MethodName, OptionsOf } from '../../../interpreters/methods.js';
import { type ScriptedReply, scriptedModel } from '../../../testing/scripted-model.js';
import { startHarness } from '../harness.js';
import { type History, handleOf } from '../history.js';
import { QUESTION } from '../telephone.js';

/** Runs workflows, and gives the history for each file that it is named by, with blanks between. */
export type Scenario = () => Promise<(History | Promise<History>)[]>;

/** By the names of their files. */
// biome-ignore lint/suspicious/noExplicitAny: each has the options of its own method.
export type Questions = Record<string, QuestionRecording<any>>;

/** Ports of the workers in place of the usual ones; made when they are needed. */
type Parts = NonNullable<Parameters<typeof startHarness>[1]>;

export interface QuestionRecording<M extends MethodName> {
  method: M;
  input?: Partial<MethodInput<OptionsOf<M>>>;
  script: ScriptedReply[];
  /** How it ends, so that none is recorded that went wrong. */
  outcome?: Outcome;
  changes?: () => Parts | Promise<Parts>;
  /** Calls at a time, where they are not as usual here. */
  concurrency?: number;
  /** Cancelled when the model has been asked so often. */
  cancelAfter?: number;
}

/** A question of a method with these options, which is answered. */
export function answered<M extends MethodName>(
  method: M,
  options: Partial<OptionsOf<M>>,
  script: ScriptedReply[],
  more: Partial<QuestionRecording<M>> = {},
): QuestionRecording<M> {
  return { method, script, ...more, input: { options, ...more.input } };
}

/** Asks a question on workers of its own. */
export async function runQuestion(
  name: string,
  recording: QuestionRecording<'sure'>,
): ReturnType<Scenario> {
  const { method, input, script, outcome = 'answered', changes, cancelAfter } = recording;
  const model = scriptedModel(script);
  const { concurrency = 50 } = recording;
  const harness = await startHarness(model, await changes?.(), { concurrency });
  const labels = { run: 'recorded', dataset: 'test' };
  const workflowId = `recorded-${name}`;
  const whole = { question: QUESTION, labels, ...input };
  const handle = await harness.client.start(method, whole, { workflowId });
  if (cancelAfter !== undefined) {
    await vi.waitFor(() => expect(model.requests).toHaveLength(cancelAfter), 30_000);
    await handle.cancel();
  }
  expect((await handle.result()).outcome).toBe(outcome);
  return [handleOf(harness.connection, workflowId).fetchHistory()];
}
