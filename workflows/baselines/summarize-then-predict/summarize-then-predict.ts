/** A generic summary, then the answer from it, as a workflow (SuRe, section 4.3, appendix A.6). */

import { concluded } from '../../../core/result.js';
import type { AlgorithmOf } from '../../define-method.js';
import type { summarizeThenPredictMethod } from './method.js';

/** The answer is read from the summary alone; where no passage was found, from memory. */
export const summarizeThenPredict: AlgorithmOf<typeof summarizeThenPredictMethod> = async (
  asked,
) => {
  const { question, options, step } = asked;
  const retrieved = await step.retrieve({ query: question, count: options.passages });
  const passages = retrieved.map(({ id }) => id);

  const summary =
    passages.length === 0 ? null : await step.summarizeGeneric({ question, passages });
  const reading =
    summary === null
      ? await step.read({ question, passages: [], demonstrations: [] })
      : await step.readSummaries({ question, passages: [], summaries: [summary] });
  return concluded(reading, passages, { passages: retrieved, summary, reading });
};
