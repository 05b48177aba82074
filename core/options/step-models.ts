import { suggestion } from './nearest.js';
import type { Problem } from './problems.js';

/**
 * Returns what is wrong with the steps that are named; nothing where all are steps of the method,
 * or `default`.
 */
export function unknownSteps(
  named: Readonly<Record<string, unknown>> | string | undefined,
  steps: readonly string[] | undefined,
  field: 'models' | 'outputs' | 'prompts' | 'tier' = 'models',
): Problem[] {
  if (steps === undefined || named === undefined || typeof named === 'string') return [];
  const known = ['default', ...steps];
  return Object.keys(named)
    .filter((step) => !known.includes(step))
    .map((step) => ({ path: [field, step], message: refusal(step, known) }));
}

function refusal(step: string, known: readonly string[]): string {
  if (step === 'judgeClaim') return 'is asked of the model that judge names';
  return `is not a step here${suggestion(step, known)}`;
}
