/** Collects custom steps and actions, and checks their names. Pure. */
import { Failure } from '../core/failure.js';
import { type AnyAction, isAction, type OwnStep } from './actions.js';
import type { ModelSteps } from './define.js';
import { nonModelSteps, STEP_NAMES } from './table.js';

/**
 * Names that custom steps and actions must not have: those of the shipped steps, and `default`,
 * which `models` uses. A worker also refuses the names of its other activities.
 */
export const RESERVED_STEP_NAMES: ReadonlySet<string> = new Set([
  ...STEP_NAMES,
  ...Object.keys(nonModelSteps),
  'default',
]);

/**
 * Returns the given custom steps (`steps`) and actions (`actions`) by name, and the texts of the
 * prompts that they declare, by prompt name. `registeredSteps` adds the steps of rubrics.
 *
 * @throws Failure BadInput if a step's name is reserved or used twice, or if two prompts with
 * different texts have one name.
 */
export function ownSteps(own: readonly OwnStep[] = []): {
  steps: ModelSteps;
  actions: Readonly<Record<string, AnyAction>>;
  prompts: Record<string, string>;
} {
  const steps: Record<string, ModelSteps[string]> = {};
  const actions: Record<string, AnyAction> = {};
  const prompts: Record<string, string> = {};
  const named = new Set(RESERVED_STEP_NAMES);
  for (const step of own) {
    if (named.has(step.name)) {
      throw new Failure('BadInput', `There are two steps named "${step.name}"; rename yours.`);
    }
    named.add(step.name);
    if (isAction(step)) {
      actions[step.name] = step;
      continue;
    }
    steps[step.name] = step;
    if (typeof step.prompt === 'string' || !('text' in step.prompt)) continue;
    const { name, text } = step.prompt;
    if (Object.hasOwn(prompts, name) && prompts[name] !== text) {
      throw new Failure('BadInput', `There are two prompts named "${name}"; rename one.`);
    }
    prompts[name] = text;
  }
  return { steps, actions, prompts };
}
