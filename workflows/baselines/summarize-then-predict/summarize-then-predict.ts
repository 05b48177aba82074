/** A generic summary, then the answer from it, as a workflow (SuRe, section 4.3, appendix A.6). */

import { concluded } from '../../../core/result.js';
import type { Algorithm } from '../../algorithm.js';
import type { SummarizeThenPredictChain, SummarizeThenPredictOptions } from './method.js';

/** The answer is read from the summary alone; where no passage was found, from memory. */
export const summarizeThenPredict: Algorithm<
  SummarizeThenPredictOptions,
  SummarizeThenPredictChain
> = async ({ question, options: { passages: count }, step }) => {
  const retrieved = await step.retrieve({ query: question, count });
  const passages = retrieved.map(({ id }) => id);

  const summary =
    passages.length === 0 ? null : await step.summarizeGeneric({ question, passages });
  const reading =
    summary === null
      ? await step.read({ question, passages: [], demonstrations: [] })
      : await step.readSummaries({ question, passages: [], summaries: [summary] });
  const chain: SummarizeThenPredictChain = { passages: retrieved, summary, reading };
  return concluded(reading, passages, chain);
};
