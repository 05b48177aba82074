/** Steps of your own. Pure. */
import { Failure } from '../core/failure.js';
import type { ModelStep, ModelSteps } from './define.js';
import { otherSteps, STEP_NAMES } from './table.js';

/** Reserved names: they have a meaning in `models`, a history or a result. */
export const TAKEN_STEPS: ReadonlySet<string> = new Set([
  ...STEP_NAMES,
  ...Object.keys(otherSteps),
  'default',
  'draftDocument',
  'embedPairs',
]);

/**
 * The steps by name, and the texts of the prompts that they bring.
 *
 * @throws Failure BadInput where a name is taken.
 */
// biome-ignore lint/suspicious/noExplicitAny: an input is only known to the step itself
export function ownSteps(own: readonly ModelStep<any, any>[] = []): {
  steps: ModelSteps;
  prompts: Record<string, string>;
} {
  const steps: Record<string, ModelSteps[string]> = {};
  const prompts: Record<string, string> = {};
  for (const step of own) {
    if (TAKEN_STEPS.has(step.name) || Object.hasOwn(steps, step.name)) {
      throw new Failure('BadInput', `There are two steps named "${step.name}"; rename yours.`);
    }
    steps[step.name] = step;
    if (typeof step.prompt === 'string' || !('text' in step.prompt)) continue;
    const { name, text } = step.prompt;
    if (Object.hasOwn(prompts, name) && prompts[name] !== text) {
      throw new Failure('BadInput', `There are two prompts named "${name}"; rename one.`);
    }
    prompts[name] = text;
  }
  return { steps, prompts };
}
