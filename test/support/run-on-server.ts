import type { MethodInput } from '../../core/options/input.js';
import type { ChainOf, MethodName, OptionsOf } from '../../interpreters/methods.js';
import { type ScriptedReply, scriptedModel } from '../../testing/scripted-model.js';
import { sharedHarness } from './harness.js';
import { QUESTION } from './telephone.js';

let running = false;

/** Runs a script to its end and gives the result, what the model was asked, and where it ran. */
export async function runOnServer<M extends MethodName>(
  method: M,
  script: readonly ScriptedReply[],
  input: Partial<MethodInput<OptionsOf<M>>> = {},
  changes: Parameters<typeof sharedHarness>[1] = {},
) {
  if (running)
    throw new Error('Scripts share the workers of their file: await one, then the next.');
  running = true;
  try {
    const model = scriptedModel(script);
    const harness = await sharedHarness(model, changes);
    const whole = { question: QUESTION, ...input };
    const workflowId = harness.id;
    const asked = await harness.client.startNamed<ChainOf<M>>(method, whole, { workflowId });
    const result = await asked.result();
    return { result, model, harness };
  } finally {
    running = false;
  }
}
