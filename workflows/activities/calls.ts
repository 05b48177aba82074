/** Types that all activities share. */
import type { CallSettings } from '../../core/call-defaults.js';
import type { OutputRow } from '../../steps/output-row.js';

/**
 * The timeout in seconds, the retry limits and the tenant of one call of a model, a search or
 * another service; missing fields have their defaults. Attempts and refusals are counted over all
 * attempts of the activity.
 */
export interface CallBounds
  extends Partial<
    Pick<CallSettings, 'timeoutSeconds' | 'attempts' | 'refusals' | 'outageSeconds'>
  > {
  /** Tenant that the call is made for; its daily budget limits the call. */
  tenant?: string;
}

/**
 * The result of an activity that embeds or scores texts, as histories record it: its value, its
 * model and usage (tokens and cost), and as `ran` the time span of the attempt that returned it;
 * absent if unknown.
 */
export type EmbeddingRow<O> = Pick<OutputRow<O>, 'value' | 'usage' | 'model' | 'ran'>;
