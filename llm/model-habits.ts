import type { Completion, CompletionRequest } from './language-model.js';
import type { Refusable } from './openai/parameters.js';
import { PartRefused } from './provider-failure.js';
import { type LimitSent, limitFor, type Room, withLesson } from './refused-limit.js';
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
  /** Tokens on top of `maxTokens` for the thoughts of every model; left out, see `limit`. */
  reasoningAllowance?: number | undefined;
  /** What a model is known to refuse before it is asked. */
  refusedFromTheStart?(model: string): readonly Refusable[];
}

/** The habits of an endpoint's models, as far as this process has met them. */
export class ModelHabits {
  readonly #options: HabitOptions;
  readonly #refused = new Map<string, Set<Refusable>>();
  readonly #thinking = new Set<string>();
  readonly #rooms = new Map<string, Room>();

  constructor(options: HabitOptions) {
    this.#options = options;
  }

  /** Returns what a model refuses, as far as is known. */
  refused(model: string): ReadonlySet<Refusable> {
    return this.#refused.get(model) ?? new Set(this.#options.refusedFromTheStart?.(model));
  }

  /**
   * Returns the limit that a request is sent with: that of its answer and an allowance for thoughts,
   * as far as the model takes it and has the time to write. The allowance is as configured, else the usual number for a model
   * that thinks, or that refuses `max_tokens`, as such models do.
   */
  limit(request: CompletionRequest): LimitSent {
    const { model, thinks, mostTokens = Infinity } = request;
    const isThinking = thinks || this.#thinking.has(model);
    const allowance = this.allowanceFor(isThinking, this.refused(model));
    const limit = limitFor(request, allowance, this.#rooms.get(model) ?? {});
    return { ...limit, tokens: Math.min(limit.tokens, mostTokens) };
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

  /** Learns from a failure that refuses a part of a request. */
  learn(model: string, failure: unknown): void {
    if (!(failure instanceof PartRefused)) return;
    const { lesson } = failure;
    if ('without' in lesson) {
      this.#refused.set(model, new Set([...this.refused(model), lesson.without]));
    } else {
      this.#rooms.set(model, withLesson(this.#rooms.get(model) ?? {}, lesson.limit));
    }
  }
}
