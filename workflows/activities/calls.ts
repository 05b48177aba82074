/** Types that all activities share. */
import type { CallSettings } from '../../core/call-defaults.js';
import type { StepOutput } from '../../steps/call.js';

/**
 * Bounds of one call; missing ones have their defaults. Attempts and refusals are counted over all
 * attempts of the activity.
 */
export type CallBounds = Partial<
  Pick<CallSettings, 'timeoutSeconds' | 'attempts' | 'refusals' | 'outageSeconds'>
>;

export type EmbeddingOutput<O> = Pick<StepOutput<O>, 'value' | 'usage' | 'model' | 'ran'>;
