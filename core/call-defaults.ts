/** What a call means that leaves something unsaid. Pure. */
import type { OutputForm } from './step-models.js';
import type { Tier } from './tier.js';

/**
 * The same in all versions: a call is sent by a question that may have begun on an earlier one, and
 * is carried out by workers of a later one. The defaults of the input are another thing: they may
 * change, since a question writes down what it began with.
 */
export const CALL_DEFAULTS = {
  /** What it is asked for at. */
  tier: 'standard' as Tier,
  /** In which form its output is asked for. */
  form: 'text' as OutputForm,
  /** The prompt set. */
  prompts: 'default',
  seed: 0,
  cache: true,
  /** Which asking: each re-ask of an unreadable output counts one up. */
  attempt: 0,
  /** Whether an asking before it spent all of its tokens thinking. */
  thinks: false,
  /** How long one attempt may take. */
  timeoutSeconds: 300,
  /** How often the provider may fail. */
  attempts: 6,
  /** How often it may refuse for rate. */
  refusals: 200,
  /** How long one that is away is waited for. */
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
