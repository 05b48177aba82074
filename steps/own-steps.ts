/** Steps of somebody's own: each is a workflow's step and a worker's in one. Pure. */
import { Failure } from '../methods/failure.js';
import type { ModelStep, StepRef } from './define.js';
import { otherSteps, STEP_NAMES } from './table.js';

/** A step that brings its name, its line in the UI and its prompt. */
export interface OwnStep<I, O> extends Omit<ModelStep<I, O>, 'prompt'>, StepRef<I, O> {
  prompt: {
    /** A prompt set overrides it by a file of this name, with `.txt` behind it. */
    name: string;
    /** With {{placeholders}}; below a line `=== again ===` what is added when it is asked again. */
    text: string;
  };
}

/** By the name of their activity. */
// biome-ignore lint/suspicious/noExplicitAny: an input is only known to the step itself
export type OwnModelSteps = Readonly<Record<string, ModelStep<any, any>>>;

/** Names that mean something else in `models` of an input, in a history or in a result. */
export const TAKEN_STEPS: ReadonlySet<string> = new Set([
  ...STEP_NAMES,
  ...Object.keys(otherSteps),
  'default',
  'draftDocument',
  'embedPairs',
]);

/** Gives a step of one's own its types, and the line beside it in the UI where it names none. */
export function defineOwnStep<I, O>(
  step: Omit<OwnStep<I, O>, 'label'> & Partial<Pick<OwnStep<I, O>, 'label'>>,
): OwnStep<I, O> {
  return { label: () => step.name, ...step };
}

/**
 * The steps as a worker runs them, and the texts of their prompts by name.
 *
 * @throws Failure BadInput where a name is taken.
 */
// biome-ignore lint/suspicious/noExplicitAny: an input is only known to the step itself
export function ownSteps(own: readonly OwnStep<any, any>[] = []): {
  steps: OwnModelSteps;
  prompts: Record<string, string>;
} {
  const steps: Record<string, OwnModelSteps[string]> = {};
  const prompts: Record<string, string> = {};
  // A line for people is no part of what a step does.
  for (const { prompt, label: _, ...step } of own) {
    if (TAKEN_STEPS.has(step.name) || Object.hasOwn(steps, step.name)) {
      throw new Failure('BadInput', `There are two steps named "${step.name}"; rename yours.`);
    }
    const { name, text } = prompt;
    if (Object.hasOwn(prompts, name) && prompts[name] !== text) {
      throw new Failure('BadInput', `There are two prompts named "${name}"; rename one.`);
    }
    steps[step.name] = { ...step, prompt: name };
    prompts[name] = text;
  }
  return { steps, prompts };
}
