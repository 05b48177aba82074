import { suggestion } from './nearest.js';
import type { Problem } from './problems.js';

/** Fields of an input whose keys are step names. */
const FIELDS = ['models', 'tier', 'outputs', 'prompts'] as const;

/**
 * Returns a problem (`path` and `message`) for each unknown step name in an input: each key of its
 * fields `models`, `tier`, `outputs` and `prompts` that is neither in `steps` nor "default". Empty
 * if there is none, or if `steps` is undefined.
 *
 * @param of Name of the method, for messages.
 */
export function unknownSteps(
  input: { [F in (typeof FIELDS)[number]]?: object | string | undefined },
  steps: readonly string[] | undefined,
  of: string,
): Problem[] {
  if (steps === undefined) return [];
  const known = ['default', ...steps];
  return FIELDS.flatMap((field) => {
    const named = input[field];
    const names = typeof named === 'object' ? Object.keys(named) : [];
    const unknown = names.filter((step) => !known.includes(step));
    return unknown.map((step) => ({ path: [field, step], message: refusal(step, known, of) }));
  });
}

function refusal(step: string, known: readonly string[], of: string): string {
  if (step === 'judgeClaim') return 'uses the model that "judge" sets';
  return `is not a step of ${of}${suggestion(step, known)}`;
}
