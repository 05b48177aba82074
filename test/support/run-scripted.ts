/** Asks a question of any method with a scripted model, in this process and without a server. */
import type { Ports } from '../../activities/runtime/ports.js';
import type { MethodInput } from '../../core/options/input.js';
import type { MethodResult } from '../../core/result.js';
import type { ChainOf, MethodName, OptionsOf } from '../../interpreters/methods.js';
import { answerInProcess } from '../../interpreters/scripted.js';
import {
  type ScriptedReply,
  type ScriptedStep,
  scriptedModel,
} from '../../testing/scripted-model.js';
import { testPorts } from './ports.js';
import { QUESTION } from './telephone.js';

/**
 * Runs a script to its end and gives the result and what the model was asked.
 *
 * @throws Error when a step asks for what the script does not have.
 */
export async function runScripted<M extends MethodName>(
  method: M,
  script: readonly ScriptedReply[],
  input: Partial<MethodInput<OptionsOf<M>>> = {},
  changes: Partial<Ports> = {},
) {
  const model = scriptedModel(script);
  const ports = testPorts(model, changes);
  const given = { question: QUESTION, ...input } as MethodInput<object>;
  const result = (await answerInProcess(method, given, ports)) as MethodResult<ChainOf<M>>;
  const without = model.requests.find(({ line }) => line === undefined);
  if (without) throw new Error(`No reply left for ${without.step}:\n${without.prompt}`);
  return { result, model, asked: countByStep(model.requests), ports };
}

function countByStep(requests: { step: ScriptedStep }[]) {
  const counts: Partial<Record<ScriptedStep, number>> = {};
  for (const { step } of requests) counts[step] = (counts[step] ?? 0) + 1;
  return counts;
}

/** Lines of a step, said in this order. */
export function says(step: ScriptedStep, ...replies: ScriptedReply['say'][]): ScriptedReply[] {
  return replies.map((say) => ({ step, say }));
}

/** The same script, with the calls returning in the opposite order. */
export function turned(script: readonly ScriptedReply[]): ScriptedReply[] {
  return script.map((line, i) => ({ ...line, delayMs: (script.length - i) * 3 }));
}
