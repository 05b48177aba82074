/** What planned calls take in tokens: the real prompts, filled, and the real limits of outputs. */

import { type CallTokens, CHARACTERS_A_TOKEN, tokensOf } from '../../methods/estimate.js';
import { Failure } from '../../methods/failure.js';
import type { PlannedCall } from '../../methods/planned-call.js';
import type { Passage } from '../../methods/vocabulary.js';
import { passageText } from '../../retrieval/passage-text.js';
import { type ModelStep, maxTokensOf } from '../../steps/define.js';
import { modelSteps } from '../../steps/model-steps.js';
import type { OwnModelSteps } from '../../steps/own-steps.js';
import { type FillPorts, fillPrompt } from './render-prompt.js';

/** As long a text as a step can write for an input, by the rule that tokens are counted with. */
export function longestOutput(step: string, input: object = {}, own: OwnModelSteps = {}): string {
  return 'x'.repeat(CHARACTERS_A_TOKEN * maxTokensOf(stepOf(step, own), input));
}

/** What a call asks a language model, or an embedding model; nothing for a search by words. */
export async function tokensOfCall(
  { step, input }: PlannedCall,
  prompts: string,
  ports: FillPorts & { steps?: OwnModelSteps },
): Promise<CallTokens & { embedded: number }> {
  if (step === 'retrieve') return embedding([(input as { query: string }).query]);
  if (step === 'rankBySimilarity' || step === 'rankByCrossEncoder') {
    const { text, passages } = input as { text: string; passages: Passage[] };
    return embedding([text, ...passages.map(passageText)]);
  }
  const asked = stepOf(step, ports.steps);
  // A plan has the passages themselves in the places of their ids.
  const shown = asked.passages?.(input) as Passage[] | undefined;
  const call = { prompts, attempt: 0 };
  const { content } = await fillPrompt(asked, input, call, shown, ports);
  return { prompt: tokensOf(content), completion: maxTokensOf(asked, input), embedded: 0 };
}

function embedding(texts: readonly string[]) {
  return {
    prompt: 0,
    completion: 0,
    embedded: texts.reduce((sum, text) => sum + tokensOf(text), 0),
  };
}

function stepOf(name: string, own: OwnModelSteps = {}): ModelStep<object, unknown> {
  const step = own[name] ?? modelSteps[name as keyof typeof modelSteps];
  if (step) return step as ModelStep<object, unknown>;
  throw new Failure('BadInput', `The plan has a step "${name}", which is none of ours or yours.`);
}
