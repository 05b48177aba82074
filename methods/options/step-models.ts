/** The models and tiers of an input, by step: a step that a method does not have would have no effect. Pure. */

import { STEP_NAMES } from '../../steps/table.js';
import { suggestion } from './nearest.js';

/**
 * What a refusal of a step says; none where all are steps of the method, or `default`.
 *
 * @param field Of the input, that names steps.
 */
export function unknownSteps(
  models: Readonly<Record<string, string>> | undefined,
  steps: readonly string[] | undefined,
  field: 'models' | 'tier' = 'models',
): string[] {
  if (steps === undefined || models === undefined) return [];
  const known = ['default', ...steps];
  return Object.keys(models)
    .filter((step) => !known.includes(step))
    .map((step) => `${field}.${step}: ${refusal(step, known)}`);
}

function refusal(step: string, known: readonly string[]): string {
  if (step === 'judgeClaim') return 'is asked of the model that judge names';
  const elsewhere = STEP_NAMES.some((name) => name === step);
  return elsewhere
    ? `is no step of this method; there are ${known.join(', ')}`
    : `unknown step${suggestion(step, known)}`;
}
