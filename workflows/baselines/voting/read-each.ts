import type { Steps } from '../../algorithm.js';

/** Makes a call for each passage, in parallel; one call where none was found. */
export async function readEach(
  step: Steps,
  question: string,
  passages: readonly string[],
  probability: boolean,
) {
  const ids: readonly (string | null)[] = passages.length === 0 ? [null] : passages;
  const readings = await Promise.all(
    ids.map((passage, k) => step.readPassage({ question, passage, k, probability })),
  );
  return { ids, readings };
}
