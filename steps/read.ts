/** The reader: a short answer from the passages (SuRe "Base", appendix A.5). */
import type { Demonstration } from '../core/vocabulary.js';
import { type QuestionInput, readingStep } from './define.js';
import { shownAnswer } from './oracles.js';
import { shortAnswer } from './outputs/short-answer.js';
import { renderDemonstrations } from './rendering.js';

export interface ReadInput extends QuestionInput {
  demonstrations: Demonstration[];
}

export const read = readingStep<ReadInput, string | null>({
  name: 'read',
  label: ({ passages }) => `${passages.length} passages`,
  prompt: 'read',
  maxTokens: 64,
  variables: ({ demonstrations }) => ({
    demonstrations: renderDemonstrations(demonstrations),
  }),
  output: shortAnswer(),
  oracle: (_, gold) => shownAnswer(gold),
});
