/** Workflows that cannot follow the histories of those that the other tests run. */
import { inject } from 'vitest';

/** Where a question's workflow begins its method, as the bundle has it. */
export const METHOD = '({ conclusion } = await calls.run(';

/** The bundle of the workflows with a timer before a place in it: a step that no history has. */
export function bundleWithTimer(place: string): string {
  const bundle = inject('workflowBundle');
  if (!bundle.includes(place)) throw new Error(`The workflows no longer have: ${place}`);
  return bundle.replace(place, `await new Promise((done) => setTimeout(done, 1)); ${place}`);
}
