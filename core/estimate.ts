/** What a run would take, before anything is asked. Pure. */

export interface CallTokens {
  prompt: number;
  completion: number;
}

export interface StepTokens extends CallTokens {
  step: string;
  /** Of the model that the step asks. */
  model: string;
  calls: number;
  /** Of texts that are embedded or scored. */
  embedded: number;
  /** Tokens of the longest prompt of a call, by which some models are priced. @default 0 */
  longest?: number;
}

/**
 * US dollars per million tokens of a step's model at most, if its longest prompt has so many tokens;
 * undefined where the price is not known.
 */
export type PriceOf = (model: string, step: string, longest: number) => CallTokens | undefined;

export interface Limits {
  requestsPerMinute?: number | undefined;
  tokensPerMinute?: number | undefined;
}

export interface Estimate extends CallTokens {
  calls: number;
  embedded: number;
  /** Without what prefix caching and the response cache save; null where a price is not known. */
  costUsd: number | null;
  knownUsd: number;
  /** The models whose prices are not. */
  unpriced: string[];
  /** At the limits given; null where there is none: then the provider's speed decides. */
  minutes: number | null;
}

/** Adds steps up: cost by the price of each step's model, time by the tighter limit. */
export function estimateRun(
  steps: readonly StepTokens[],
  priceOf: PriceOf,
  { requestsPerMinute, tokensPerMinute }: Limits = {},
): Estimate {
  const sum = (of: (step: StepTokens) => number) => steps.reduce((so, step) => so + of(step), 0);
  const [calls, prompt, completion] = [
    sum((step) => step.calls),
    sum((step) => step.prompt),
    sum((step) => step.completion),
  ];
  const byLimit = [
    ...(requestsPerMinute === undefined ? [] : [calls / requestsPerMinute]),
    ...(tokensPerMinute === undefined ? [] : [(prompt + completion) / tokensPerMinute]),
  ];
  const asked = steps.filter((step) => step.prompt > 0);
  const priced = asked.map((step) => {
    return { ...step, price: priceOf(step.model, step.step, step.longest ?? 0) };
  });
  const unpriced = priced.filter(({ price }) => price === undefined);
  const knownUsd = priced.reduce((so, { prompt, completion, price }) => {
    const usd = price ? prompt * price.prompt + completion * price.completion : 0;
    return so + usd / 1_000_000;
  }, 0);
  return {
    calls,
    prompt,
    completion,
    embedded: sum((step) => step.embedded),
    costUsd: unpriced.length > 0 ? null : knownUsd,
    knownUsd,
    unpriced: [...new Set(unpriced.map(({ model }) => model))],
    minutes: byLimit.length === 0 ? null : Math.max(...byLimit),
  };
}

/** Characters of English that make a token. */
export const CHARACTERS_A_TOKEN = 4;

/**
 * About how many tokens a text has: four characters each, as is usual for English, and two bytes of
 * UTF-8 each for what is not ASCII, which is more than o200k and cl100k make of the scripts tried.
 */
export function tokensOf(text: string): number {
  return Math.ceil(englishLength(text) / CHARACTERS_A_TOKEN);
}

/** Returns how many characters of English take as many tokens as the text. */
export function englishLength(text: string): number {
  const others = text.match(OTHERS)?.length ?? 0;
  if (others === 0) return text.length;
  const threeBytes = text.match(OF_THREE_BYTES)?.length ?? 0;
  const tokens = others + threeBytes / 2;
  return text.length - others + tokens * CHARACTERS_A_TOKEN;
}

/** UTF-16 units: each of the two of a surrogate pair has two of its four bytes. */
const OTHERS = /[^\0-\x7f]/g;
const OF_THREE_BYTES = /[\u0800-\ud7ff\ue000-\uffff]/g;
