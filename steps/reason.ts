/** Zero-shot chain of thought: reasoning, then an answer (SuRe 4.1, Kojima et al. 2022). */
import { defineStep } from './define.js';
import { shownAnswer } from './oracles.js';
import { NEXT_QUESTION, type Reasoned, reasoned } from './outputs/labelled.js';
import { greedyOr, type Sample, sampleOf } from './samples.js';

export interface ReasonInput {
  question: string;
  /** Ids, in the order shown; none to reason without retrieval. */
  passages: string[];
  /** To draw one of several samples; greedy when left out. */
  sample?: Sample;
}

/** Null when the output stayed unreadable. */
export const reason = defineStep<ReasonInput, Reasoned | null>({
  name: 'reason',
  label: ({ passages, sample }) =>
    `${sample ? `sample ${sample.k + 1}, ` : ''}${passages.length} passages`,
  prompt: 'reason',
  maxTokens: 512,
  stop: [NEXT_QUESTION],
  passages: (input) => input.passages,
  sampling: greedyOr,
  sample: sampleOf,
  variables: ({ question }) => ({ question }),
  output: reasoned('brief reasoning, and at the end a line that begins with "Answer:"'),
  fallback: () => null,
  oracle(_, gold) {
    const answer = shownAnswer(gold);
    return answer === undefined ? undefined : { reasoning: '', answer };
  },
});
