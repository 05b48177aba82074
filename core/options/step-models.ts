import { suggestion } from './nearest.js';
import type { Problem } from './problems.js';

/** Fields of an input that address steps by name. */
const FIELDS = ['models', 'tier', 'outputs', 'prompts'] as const;

/**
 * Returns the problems of unknown step names; none if all are among `steps` or `default`, or if the
 * steps are not known.
 */
export function unknownSteps(
  input: { [F in (typeof FIELDS)[number]]?: object | string | undefined },
  steps: readonly string[] | undefined,
): Problem[] {
  if (steps === undefined) return [];
  const known = ['default', ...steps];
  return FIELDS.flatMap((field) => {
    const named = input[field];
    const names = typeof named === 'object' ? Object.keys(named) : [];
    const unknown = names.filter((step) => !known.includes(step));
    return unknown.map((step) => ({ path: [field, step], message: refusal(step, known) }));
  });
}

function refusal(step: string, known: readonly string[]): string {
  if (step === 'judgeClaim') return 'is asked of the model that judge names';
  return `is not a step here${suggestion(step, known)}`;
}
