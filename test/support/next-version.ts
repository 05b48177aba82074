/** Workflows of later versions: some cannot follow the histories of those that the tests run. */
import { inject } from 'vitest';

/** Where a question's workflow begins its method, as the bundle has it. */
export const METHOD = '({ conclusion } = await calls.run(';

/** Where SuRe goes on behind its candidates. */
const JUDGING = 'const judged = await judgeCandidates(';

/** Returns the bundle of the workflows with more code before a place in it. */
function bundleWith(code: string, place: string): string {
  const bundle = inject('workflowBundle');
  if (!bundle.includes(place)) throw new Error(`The workflows no longer have: ${place}`);
  return bundle.replace(place, `${code} ${place}`);
}

/** Returns the bundle with a timer before a place in it: a step that no history has. */
export const bundleWithTimer = (place: string) =>
  bundleWith('await new Promise((done) => setTimeout(done, 1));', place);

/**
 * Returns the bundle whose SuRe has one step more in its middle.
 *
 * @param patch Name of the patch behind which a later version of durable-rag would bring it.
 */
export function bundleWithStep(patch?: string): string {
  const step =
    'await asked.step.summarize({ question: asked.question, passages, candidates: [...candidates].reverse(), k: 0 });';
  const code = patch === undefined ? step : `if (asked.patched('${patch}')) ${step}`;
  // What the bundle says of its version is that of the code before.
  return bundleWith(code, JUDGING).replace(/\n\/\/# durableRag=.*/, '');
}

/** Returns what a model says at a step of SuRe that finds two candidates. */
export function saidForSure(step: string): string {
  if (step === 'generateCandidates') return '(a) Bell, (b) Gray';
  if (step === 'validate') return 'True';
  return step === 'rankPair' ? 'Passage 1' : 'Bell was granted it. [DONE]';
}
