import type { CompletionRequest, TokenUsage } from '../language-model.js';

/** English prose, until a model has shown how it counts the texts it is given. */
const TOKENS_A_CHARACTER = 1 / 4;
/** Most answers are far shorter than they may be. */
const SHARE_OF_MAX = 1 / 3;
/** The weight of one more call once there are many. */
const MEMORY = 20;

interface Learned {
  calls: number;
  tokensPerCharacter: number;
  completionTokens: number;
}

/** The estimates of one step, apart by model; what they have learned lives as long as the process. */
export class TokenEstimates {
  readonly #models = new Map<string, Learned>();

  /** Tokens of prompt and completion together. */
  estimate(request: CompletionRequest): number {
    const { completionTokens } = this.#models.get(request.model) ?? {};
    return Math.ceil(this.#read(request) + (completionTokens ?? request.maxTokens * SHARE_OF_MAX));
  }

  /** Tokens of the prompt alone. */
  prompt(request: CompletionRequest): number {
    return Math.ceil(this.#read(request));
  }

  #read(request: CompletionRequest): number {
    const { tokensPerCharacter = TOKENS_A_CHARACTER } = this.#models.get(request.model) ?? {};
    return characters(request) * tokensPerCharacter;
  }

  /** Takes a call into account that came back. */
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
