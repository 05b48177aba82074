/** The defaults of a call. Pure. */
import type { OutputForm } from './step-models.js';
import type { Tier } from './tier.js';

/**
 * Defaults of calls. They must never change, because a question of an earlier version may send a
 * call to workers of a later one. Defaults of the input may change, because a question records
 * them.
 */
export const CALL_DEFAULTS = {
  tier: 'standard' as Tier,
  form: 'text' as OutputForm,
  prompts: 'default',
  seed: 0,
  cache: true,
  /** Number of the asking: each re-ask of an unreadable output adds one. */
  attempt: 0,
  /** Most further samples that may replace unreadable stored responses. */
  resample: 0,
  /** Whether an earlier attempt spent all tokens thinking. */
  thinks: false,
  /** Whether an earlier attempt was cut, so that this one may take twice the tokens. */
  doubled: false,
  /** Timeout of one attempt, in seconds. */
  timeoutSeconds: 300,
  /** Most failures of the provider. */
  attempts: 6,
  /** Most refusals for rate. */
  refusals: 200,
  /** Longest absence of the provider that is waited for, in seconds. */
  outageSeconds: 300,
};

/** The settings of a call, each of which has a default in `CALL_DEFAULTS`. */
export type CallSettings = typeof CALL_DEFAULTS;

/** Time after a worker's death until its calls go to another one, in seconds. */
export const CALL_HEARTBEAT_SECONDS = 10;

/** Returns the settings that differ from the defaults, to keep histories small. */
export function omitDefaults<S extends Partial<CallSettings>>(settings: S): Partial<S> {
  const defaults: Partial<CallSettings> = CALL_DEFAULTS;
  const differing = Object.entries(settings).filter(
    ([name, value]) => value !== defaults[name as keyof CallSettings],
  );
  return Object.fromEntries(differing) as Partial<S>;
}
