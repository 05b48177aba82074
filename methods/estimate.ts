/** What a batch would take, before anything is asked. Pure. */

/** What one model call takes. */
export interface CallTokens {
  prompt: number;
  completion: number;
}

/** What the calls of a step take together. */
export interface StepTokens extends CallTokens {
  step: string;
  /** Of the model that the step asks. */
  model: string;
  calls: number;
  /** Of texts that are embedded or scored. */
  embedded: number;
}

/** US dollars per million tokens of a step's model; undefined where the price is not known. */
export type PriceOf = (model: string, step: string) => CallTokens | undefined;

export interface Limits {
  requestsPerMinute?: number | undefined;
  tokensPerMinute?: number | undefined;
}

export interface Estimate extends CallTokens {
  calls: number;
  embedded: number;
  /** Without what prefix caching and the response cache save; null where no price is known. */
  costUsd: number | null;
  /** At the limits given; null where there is none: then the provider's speed decides. */
  minutes: number | null;
}

/** Adds steps up: cost by the price of each step's model, time by the tighter limit. */
export function estimateBatch(
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
  return {
    ...{ calls, prompt, completion },
    embedded: sum((step) => step.embedded),
    costUsd: steps.reduce<number | null>((so, step) => {
      const price =
        step.prompt === 0 ? { prompt: 0, completion: 0 } : priceOf(step.model, step.step);
      if (so === null || price === undefined) return null;
      return so + (step.prompt * price.prompt + step.completion * price.completion) / 1_000_000;
    }, 0),
    minutes: byLimit.length === 0 ? null : Math.max(...byLimit),
  };
}

/** About how many tokens a text has: four characters each, as is usual for English. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
