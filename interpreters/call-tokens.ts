/** What planned calls take in tokens: the real prompts, filled, and the real limits of outputs. */
import { type FillPorts, fillPrompt } from '../activities/runtime/render-prompt.js';
import { type CallTokens, tokensOf } from '../methods/estimate.js';
import type { Passage } from '../methods/vocabulary.js';
import { passageText } from '../retrieval/passage-text.js';
import { maxTokensOf } from '../steps/define.js';
import type { RankInput } from '../steps/other/rank.js';
import type { RetrieveInput } from '../steps/other/retrieve.js';
import { otherSteps } from '../steps/table.js';
import type { Call } from '../workflows/algorithm.js';
import { modelStepNamed, type Plan, type World } from './planning.js';

/** What planned calls are counted with. */
export interface CountedWith extends FillPorts, Pick<World, 'steps'> {
  /** The prompt set. */
  set: string;
  /** Whether a search is paid for by the vectors of what it compares. */
  byVector?: boolean;
}

/** What a call asks of a language model, or of an embedding model. */
export interface TokensOfCall extends CallTokens {
  embedded: number;
}

/** Null for a step that costs nothing. */
export async function tokensOfCall(
  { step, input }: Pick<Call, 'step' | 'input'>,
  passage: Plan['passage'],
  { set, byVector = false, steps, ...ports }: CountedWith,
): Promise<TokensOfCall | null> {
  if (step === 'retrieve') {
    return byVector ? embedding([(input as RetrieveInput).query]) : null;
  }
  if (step === 'rankBySimilarity' || step === 'rankByCrossEncoder') {
    const { text, passages } = input as RankInput;
    return embedding([text, ...passages.map((id) => passageText(passage(id)))]);
  }
  if (Object.hasOwn(otherSteps, step)) return null;
  const asked = modelStepNamed(step, steps);
  const shown = asked
    .passages?.(input as object)
    .map((one): Passage => (typeof one === 'string' ? passage(one) : one));
  const call = { prompts: set, attempt: 0 };
  const { content } = await fillPrompt(asked, input as object, call, shown, ports);
  return {
    prompt: tokensOf(content),
    completion: maxTokensOf(asked, input as object),
    embedded: 0,
  };
}

function embedding(texts: readonly string[]): TokensOfCall {
  const embedded = texts.reduce((sum, text) => sum + tokensOf(text), 0);
  return { prompt: 0, completion: 0, embedded };
}
