/** What every activity is given, or gives. Types only. */
import type { CallSettings } from '../../core/call-defaults.js';
import type { StepOutput } from '../../steps/call.js';

/**
 * Bounds for one call; what is left out is as usual. Attempts and refusals are counted over all of
 * its attempts.
 */
export type CallBounds = Partial<
  Pick<CallSettings, 'timeoutSeconds' | 'attempts' | 'refusals' | 'outageSeconds'>
>;

export type EmbeddingOutput<O> = Pick<StepOutput<O>, 'value' | 'usage' | 'model' | 'ran'>;
