import type { CompletionRequest, TokenUsage } from '../language-model.js';

/** Tokens of a character in English prose, until the model has shown how it counts its texts. */
const TOKENS_A_CHARACTER = 1 / 4;
/** Share of `maxTokens` that an answer is expected to use; most are far shorter than allowed. */
const SHARE_OF_MAX = 1 / 3;
/** Number of calls over which estimates are averaged. */
const MEMORY = 20;

interface Learned {
  calls: number;
  tokensPerCharacter: number;
  completionTokens: number;
}

/**
 * Estimates the tokens of one step's calls from its earlier calls, separately for each model. What
 * it has learned is lost with the process.
 */
export class TokenEstimates {
  readonly #models = new Map<string, Learned>();

  /** Returns the estimated tokens of prompt and completion together. */
  estimate(request: CompletionRequest): number {
    const { completionTokens } = this.#models.get(request.model) ?? {};
    return Math.ceil(this.#read(request) + (completionTokens ?? request.maxTokens * SHARE_OF_MAX));
  }

  /** Returns the estimated tokens of the prompt. */
  prompt(request: CompletionRequest): number {
    return Math.ceil(this.#read(request));
  }

  #read(request: CompletionRequest): number {
    const { tokensPerCharacter = TOKENS_A_CHARACTER } = this.#models.get(request.model) ?? {};
    return characters(request) * tokensPerCharacter;
  }

  /** Learns from the usage of a completed call. */
  learn(request: CompletionRequest, { promptTokens, completionTokens }: TokenUsage): void {
    const tokensPerCharacter = promptTokens / Math.max(1, characters(request));
    const known = this.#models.get(request.model) ?? {
      calls: 0,
      tokensPerCharacter,
      completionTokens,
    };
    const calls = Math.min(known.calls + 1, MEMORY);
    const towards = (mean: number, value: number) => mean + (value - mean) / calls;
    this.#models.set(request.model, {
      calls,
      tokensPerCharacter: towards(known.tokensPerCharacter, tokensPerCharacter),
      completionTokens: towards(known.completionTokens, completionTokens),
    });
  }
}

function characters({ messages }: CompletionRequest): number {
  return messages.reduce((sum, { content }) => sum + content.length, 0);
}
