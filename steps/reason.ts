/** Zero-shot chain of thought: reasoning, then an answer (SuRe 4.1, Kojima et al. 2022). */
import { type QuestionInput, readingStep } from './define.js';
import { ifShown } from './oracles.js';
import { NEXT_QUESTION, type Reasoned, reasoned } from './outputs/labelled.js';
import { greedyOr, type Sample, sampleOf } from './samples.js';

export interface ReasonInput extends QuestionInput {
  /** To draw one of several samples; greedy when left out. */
  sample?: Sample;
}

export const reason = readingStep<ReasonInput, Reasoned | null>({
  name: 'reason',
  label: ({ passages, sample }) =>
    `${sample ? `sample ${sample.k + 1}, ` : ''}${passages.length} passages`,
  prompt: 'reason',
  maxTokens: 512,
  stop: [NEXT_QUESTION],
  sampling: greedyOr,
  sample: sampleOf,
  output: reasoned('brief reasoning, and at the end a line that begins with "Answer:"'),
  oracle: (_, gold) => ifShown(gold, (answer) => ({ reasoning: '', answer })),
});
