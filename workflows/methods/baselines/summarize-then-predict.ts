/** A generic summary, then an answer from it (SuRe, section 4.3, appendix A.6). */

import { z } from 'zod';
import { chainPassages } from '../../../core/passages-read.js';
import { type Conclusion, concluded } from '../../../core/result.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import { baseView, section, text } from '../../../report/views/section-parts.js';
import { defineMethod } from '../../define-method.js';
import { passageCount } from '../options.js';

const options = z.strictObject({ passages: passageCount });

interface SummarizeThenPredictChain {
  passages: PassageRef[];
  /** The summary; null if there was no passage to summarise. */
  summary: string | null;
  /** The model's answer as read; null if it could not be read. */
  reading: string | null;
}

export const summarizeThenPredict = defineMethod({
  module: import.meta.url,
  name: 'summarizeThenPredict',
  title: 'Generic summary, then predict from it',
  source: 'SuRe (Kim et al., ICLR 2024), section 4.3 "Sum-and-pred (Gen)", appendix A.6',
  options,
  passagesRead: chainPassages,
  facts: {
    texts: {
      summaries: ({ summary }: SummarizeThenPredictChain) => (summary === null ? [] : [summary]),
    },
  },
  view: (chain: SummarizeThenPredictChain, context) => [
    ...section('Summary', text(chain.summary)),
    ...baseView(chain, context),
  ],
  figures:
    'EM/F1, ChatGPT + BM25, N=10, 500 questions each: NQ 26.4/37.8, WebQ 19.8/32.6, 2Wiki 25.6/32.3, HotpotQA 33.8/43.3',

  /** Reads the answer from the summary alone; from memory if no passage was found. */
  async algorithm(asked): Promise<Conclusion<SummarizeThenPredictChain>> {
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
  },
});
