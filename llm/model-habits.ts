import type { Completion, CompletionRequest } from './language-model.js';
import { PartRefused } from './provider-failure.js';
import { limitFor, type ModelLimits, type SentLimit, withLimitChange } from './refused-limit.js';
import type { Refusable } from './refused-parameter.js';
import { withoutThinking } from './thinking.js';

/**
 * Tokens that a thinking model may spend on thoughts, in addition to the visible answer's
 * `maxTokens`.
 *
 * Its limit counts thoughts and answer together, so without an allowance the answer would be cut
 * before it begins. Only tokens that are used are paid for.
 */
const DEFAULT_ALLOWANCE = 8192;

/** Settings of `ModelHabits` that are known before the first call. */
interface HabitOptions {
  /**
   * Tokens that every model may spend on thoughts, in addition to `maxTokens`; if left out, see
   * `ModelHabits.limit`.
   */
  reasoningAllowance?: number | undefined;
  /** Returns the parameters that a model is known to refuse before the first call. */
  knownRefusals?(model: string): readonly Refusable[];
}

/**
 * The observations that this process has made of an endpoint's models, by the name of the model:
 * refused parameters, whether it thinks, and its token limits. Lost with the process.
 */
export class ModelHabits {
  readonly #options: HabitOptions;
  readonly #refused = new Map<string, Set<Refusable>>();
  readonly #thinking = new Set<string>();
  readonly #limits = new Map<string, ModelLimits>();

  constructor(options: HabitOptions) {
    this.#options = options;
  }

  /** Returns the parameters that a model is known to refuse. */
  refused(model: string): ReadonlySet<Refusable> {
    return this.#refused.get(model) ?? new Set(this.#options.knownRefusals?.(model));
  }

  /**
   * Returns the token limit of a request: its answer and an allowance for thoughts, at most what
   * the model accepts and can write in time. The allowance is the configured one; otherwise the
   * default one for a model that thinks, or that refuses `max_tokens`, as such models do.
   */
  limit(request: CompletionRequest): SentLimit {
    const { model, thinks, mostTokens = Infinity } = request;
    const isThinking = thinks || this.#thinking.has(model);
    const allowance = this.allowanceFor(isThinking, this.refused(model));
    const limit = limitFor(request, allowance, this.#limits.get(model) ?? {});
    return { ...limit, tokens: Math.min(limit.tokens, mostTokens) };
  }

  /**
   * Returns the allowance for thoughts, in tokens: the configured one; otherwise the default for a
   * model that thinks or refuses `max_tokens`, and 0 for others.
   */
  allowanceFor(thinks: boolean | undefined, refused: ReadonlySet<Refusable>): number {
    const { reasoningAllowance } = this.#options;
    if (reasoningAllowance !== undefined) return reasoningAllowance;
    return thinks || refused.has('max_tokens') ? DEFAULT_ALLOWANCE : 0;
  }

  /** Records whether the model was thinking, and returns the completion unchanged. */
  observe(model: string, completion: Completion): Completion {
    if (withoutThinking(completion).thinking) this.#thinking.add(model);
    return completion;
  }

  /**
   * Records the parameter or token limit that a model refused, if `failure` is a `PartRefused`;
   * ignores other failures.
   */
  learnRefusal(model: string, failure: unknown): void {
    if (!(failure instanceof PartRefused)) return;
    const { change } = failure;
    if ('without' in change) {
      this.#refused.set(model, new Set([...this.refused(model), change.without]));
    } else {
      this.#limits.set(model, withLimitChange(this.#limits.get(model) ?? {}, change.limit));
    }
  }
}
