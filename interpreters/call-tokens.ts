/** Counts the tokens of planned calls, from rendered prompts and the limits of outputs. */
import { type FillPorts, fillPrompt } from '../activities/runtime/model-request.js';
import { type CallTokens, englishLength, tokensOf } from '../core/estimate.js';
import { type OutputForm, promptsFor, type StepPrompts } from '../core/step-models.js';
import type { Passage } from '../core/vocabulary.js';
import { passageText } from '../retrieval/retriever.js';
import { maxTokensOf } from '../steps/define.js';
import type { EmbedTextsInput, RankInput } from '../steps/non-model-steps.js';
import { asksNoModel } from '../steps/table.js';
import type { Call } from '../workflows/algorithm.js';
import { modelStepNamed, type Plan, type PlanInputs } from './planning.js';

/** Ports and settings for counting. */
interface CountedWith
  extends Omit<FillPorts, 'transcripts'>,
    Pick<PlanInputs, 'parametersOf' | 'steps'> {
  /** Prompt sets of the steps. */
  sets: StepPrompts;
  /** Returns the form in which a step answers; text if left out. */
  formOf?: ((step: string) => OutputForm) | undefined;
}

/** Tokens of a call to a language or embedding model. */
interface TokensOfCall extends CallTokens {
  embedded: number;
}

/**
 * The texts that prompts of planned calls contain: a function from an id to its passage
 * (`passage`), and the transcripts of the question, by key.
 */
export type ShownTexts = Pick<Plan, 'passage' | 'transcripts'>;

/** Length in characters above which texts count as equal if they have the same length. */
const LONG = 60;

/**
 * Counts the most tokens that planned calls take. Calls of one step whose inputs differ only in
 * long texts of equal length are counted once and share the result.
 */
export class CallTokenCounter {
  readonly #counted = new Map<string, Promise<TokensOfCall | null>>();

  constructor(private readonly counting: CountedWith) {}

  /**
   * Returns the most tokens of one call: prompt, completion and embedded; null for a step that asks
   * no model.
   */
  tokensOf(call: Pick<Call, 'step' | 'input'>, shown: ShownTexts) {
    const { passage, transcripts } = shown;
    const shape = JSON.stringify([call.step, call.input], (_, value: unknown) => {
      if (typeof value !== 'string') return value;
      const found = passage(value);
      if (found) return [englishLength(found.title), englishLength(found.text)];
      const soFar = transcripts.lengthOf(value);
      if (soFar !== undefined) return soFar;
      return value.length > LONG ? englishLength(value) : value;
    });
    const counted = this.#counted.get(shape) ?? count(call, shown, this.counting);
    this.#counted.set(shape, counted);
    return counted;
  }
}

async function count(
  { step, input }: Pick<Call, 'step' | 'input'>,
  shown: ShownTexts,
  counting: CountedWith,
): Promise<TokensOfCall | null> {
  if (step === 'embedTexts') return embedding((input as EmbedTextsInput).texts);
  if (step === 'rankBySimilarity' || step === 'rankByCrossEncoder') {
    const { text, passages } = input as RankInput;
    return embedding([text, ...shownOf(passages, shown).map(passageText)]);
  }
  const content = await promptOfCall({ step, input }, shown, counting);
  if (content === null) return null;
  const asked = modelStepNamed(step, counting.steps);
  const completion = maxTokensOf(asked, input as object, counting.parametersOf?.(step));
  return { prompt: tokensOf(content), completion, embedded: 0 };
}

/** Returns the prompt of a planned call; null if it asks no language model. */
async function promptOfCall(
  { step, input }: Pick<Call, 'step' | 'input'>,
  texts: ShownTexts,
  { sets, steps, formOf, ...ports }: CountedWith,
): Promise<string | null> {
  if (asksNoModel(step)) return null;
  const asked = modelStepNamed(step, steps);
  const given = input as object;
  const shown = asked.passages && shownOf(asked.passages(given), texts);
  const call = {
    prompts: promptsFor(step, sets),
    attempt: 0,
    ...(formOf && { form: formOf(step) }),
  };
  const { content } = await fillPrompt(asked, given, call, shown, {
    ...ports,
    transcripts: texts.transcripts,
  });
  return content;
}

function shownOf(passages: readonly (string | Passage)[], { passage }: ShownTexts): Passage[] {
  return passages.flatMap((one) => (typeof one === 'string' ? (passage(one) ?? []) : one));
}

function embedding(texts: readonly string[]): TokensOfCall {
  const embedded = texts.reduce((sum, text) => sum + tokensOf(text), 0);
  return { prompt: 0, completion: 0, embedded };
}
