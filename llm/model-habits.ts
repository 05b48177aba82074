import type { Completion, CompletionRequest } from './language-model.js';
import { type Refusable, refusalIn, type Sent } from './openai/parameters.js';
import type { CallContext, ProviderAnswer } from './provider-failure.js';
import { withoutThinking } from './thinking.js';

/**
 * Tokens that a model which thinks before it answers may think with, on top of the visible answer's
 * `maxTokens`.
 *
 * Its limit counts thoughts and answer together, so without an allowance the answer is cut before it
 * begins. It is a ceiling: only tokens that were used are paid.
 */
const DEFAULT_ALLOWANCE = 8192;

export interface HabitOptions {
  /** Tokens on top of `maxTokens` for the thoughts of every model; left out, see `allowance`. */
  reasoningAllowance?: number | undefined;
  /** What a model is known to refuse before it is asked. */
  refusedFromTheStart?(model: string): readonly Refusable[];
}

/** The habits of an endpoint's models, as far as this process has met them. */
export class ModelHabits {
  readonly #options: HabitOptions;
  readonly #refused = new Map<string, Set<Refusable>>();
  readonly #thinking = new Set<string>();

  constructor(options: HabitOptions) {
    this.#options = options;
  }

  /** Returns what a model refuses, as far as is known. */
  refused(model: string): ReadonlySet<Refusable> {
    return this.#refused.get(model) ?? new Set(this.#options.refusedFromTheStart?.(model));
  }

  /**
   * Returns the tokens for thoughts on top of `maxTokens`: as configured, else the usual number for
   * a model that thinks, or that refuses `max_tokens`, as such models do.
   */
  allowance({ model, thinks }: CompletionRequest): number {
    return this.allowanceFor(thinks || this.#thinking.has(model), this.refused(model));
  }

  /** Returns the allowance by what is configured, without what was learned here. */
  allowanceFor(thinks: boolean | undefined, refused: ReadonlySet<Refusable>): number {
    const { reasoningAllowance } = this.#options;
    if (reasoningAllowance !== undefined) return reasoningAllowance;
    return thinks || refused.has('max_tokens') ? DEFAULT_ALLOWANCE : 0;
  }

  /** Learns from an answer. */
  heard(model: string, completion: Completion): Completion {
    if (withoutThinking(completion).thinking) this.#thinking.add(model);
    return completion;
  }

  /** Learns from an answer that refuses something, and returns its failure; see `refusalIn`. */
  refusal(answer: ProviderAnswer | undefined, sent: Sent, context: CallContext) {
    const { refused, failure } = refusalIn(answer, sent, context) ?? {};
    if (refused)
      this.#refused.set(context.model, new Set([...this.refused(context.model), refused]));
    return failure;
  }
}
