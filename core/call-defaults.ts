/** The defaults of a call. Pure. */
import type { OutputForm } from './step-models.js';
import type { Tier } from './tier.js';

/**
 * Default settings of a model call, such as service tier, output form, prompt set, seed and number
 * of the attempt.
 *
 * They must never change: calls omit settings that have their default, and a question of an
 * earlier version may send a call to workers of a later one. The defaults of a question's input
 * may change, because each question records its input.
 */
export const CALL_DEFAULTS = {
  tier: 'standard' as Tier,
  form: 'text' as OutputForm,
  prompts: 'default',
  /** The corpus of the passages shown; null if they came with the question, or none are shown. */
  corpus: null as string | null,
  seed: 0,
  cache: true,
  /**
   * Number of earlier requests for the same output: 0 at first, one more for each time that an
   * unreadable output is asked again.
   */
  attempt: 0,
  /** Maximum number of further samples that may replace unreadable stored responses. */
  resample: 0,
  /** Whether an earlier attempt spent all its tokens on thinking. */
  thinks: false,
  /**
   * Whether an earlier attempt was cut at the token limit, so that this one may take twice the
   * tokens.
   */
  doubled: false,
  /** Timeout of one attempt, in seconds. */
  timeoutSeconds: 300,
  /** Maximum number of attempts that fail at the provider, refusals not counted. */
  attempts: 6,
  /** Maximum number of attempts that the provider refuses because of its rate limit. */
  refusals: 200,
  /** Maximum time for which an outage of the provider is waited out, in seconds. */
  outageSeconds: 300,
};

/**
 * The settings of a model call that have a default, such as `tier`, `form`, `seed` and
 * `timeoutSeconds`: all fields of `CALL_DEFAULTS`.
 */
export type CallSettings = typeof CALL_DEFAULTS;

/**
 * Heartbeat timeout, in seconds, of a model call that does not wait for a batch; after it, the
 * calls of a dead worker go to another one.
 */
export const CALL_HEARTBEAT_SECONDS = 10;

/**
 * Returns a copy of call settings with only those that differ from `CALL_DEFAULTS`, to keep
 * histories small.
 */
export function omitDefaults<S extends Partial<CallSettings>>(settings: S): Partial<S> {
  const defaults: Partial<CallSettings> = CALL_DEFAULTS;
  const differing = Object.entries(settings).filter(
    ([name, value]) => value !== defaults[name as keyof CallSettings],
  );
  return Object.fromEntries(differing) as Partial<S>;
}
