/** Steps of your own. Pure. */
import { Failure } from '../core/failure.js';
import { type AnyAction, isAction, type OwnStep } from './actions.js';
import type { ModelSteps } from './define.js';
import { otherSteps, STEP_NAMES } from './table.js';

/**
 * The names that no custom step may have: those of the shipped steps, and others that have a
 * meaning in `models`, a history or a result.
 */
export const RESERVED_STEP_NAMES: ReadonlySet<string> = new Set([
  ...STEP_NAMES,
  ...Object.keys(otherSteps),
  'default',
  'embedPairs',
]);

/**
 * Returns custom steps and custom actions by name, and the texts of the prompts that they bring.
 *
 * @throws Failure BadInput if a name is taken.
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
