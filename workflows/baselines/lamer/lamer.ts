/** LAMER as a workflow (LLatrieval, section 4.1; Shen et al., 2023). */

import type { PassageRef } from '../../../core/vocabulary.js';
import { fuse } from '../../../retrieval/fuse.js';
import { greedyThenSampled } from '../../../steps/samples.js';
import type { Question } from '../../algorithm.js';
import type { AlgorithmOf } from '../../define-method.js';
import { readBest } from '../read-best.js';
import type { LamerOptions, lamerMethod } from './method.js';

/**
 * Writes passages from what the question finds (or sub-questions to it), searches with each of
 * them, and reads the best of all that is found. Where none could be read, the question searches.
 */
export const lamer: AlgorithmOf<typeof lamerMethod> = async (asked) => {
  const { question, options, step } = asked;
  const { context, queries } = await writeQueries(asked);
  const distinct = queries.length === 0 ? [question] : [...new Set(queries)];

  const found = await Promise.all(
    distinct.map((query) => step.retrieve({ query, count: options.candidates })),
  );
  const passages = fuse(found).slice(0, options.passages);
  const searches = distinct.map((query, i) => ({ query, found: idsOf(found[i] ?? []) }));
  return readBest(asked, idsOf(passages), { context, searches, passages });
};

async function writeQueries({
  question,
  options: { queries: count, queryStyle, context: shown, temperature },
  step,
}: Question<LamerOptions>): Promise<{ context: PassageRef[]; queries: string[] }> {
  if (queryStyle === 'question') {
    return { context: [], queries: await step.askSubQueries({ question, history: [], count }) };
  }
  const context = await step.retrieve({ query: question, count: shown });
  const passages = idsOf(context);
  const written = await Promise.all(
    greedyThenSampled(count, temperature).map((sample) =>
      step.hypotheticalPassage({ question, passages, sample }),
    ),
  );
  return { context, queries: written.filter((passage) => passage !== null) };
}

function idsOf(passages: readonly PassageRef[]): string[] {
  return passages.map(({ id }) => id);
}
