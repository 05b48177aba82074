/** The defaults of a call. Pure. */
import type { OutputForm } from './step-models.js';
import type { Tier } from './tier.js';

/**
 * These must never change: a question of an earlier version may send a call to workers of a later
 * one. Defaults of the input may change, because a question records them.
 */
export const CALL_DEFAULTS = {
  tier: 'standard' as Tier,
  form: 'text' as OutputForm,
  prompts: 'default',
  seed: 0,
  cache: true,
  /** The attempt; each re-ask of an unreadable output adds one. */
  attempt: 0,
  /** How many other samples may stand in for kept responses that cannot be read. */
  resample: 0,
  /** Whether an earlier attempt spent all tokens thinking. */
  thinks: false,
  /** Whether an earlier attempt was cut: this one may take twice the tokens. */
  doubled: false,
  /** How long one attempt may take. */
  timeoutSeconds: 300,
  /** How often the provider may fail. */
  attempts: 6,
  /** How often it may refuse for rate. */
  refusals: 200,
  /** How long a provider that is away is waited for. */
  outageSeconds: 300,
};

export type CallSettings = typeof CALL_DEFAULTS;

/** How long after a worker's death its calls go to another one. */
export const CALL_HEARTBEAT_SECONDS = 10;

/** Returns what differs from the defaults: the rest would fill the history. */
export function omitDefaults<S extends Partial<CallSettings>>(settings: S): Partial<S> {
  const defaults: Partial<CallSettings> = CALL_DEFAULTS;
  const differing = Object.entries(settings).filter(
    ([name, value]) => value !== defaults[name as keyof CallSettings],
  );
  return Object.fromEntries(differing) as Partial<S>;
}
