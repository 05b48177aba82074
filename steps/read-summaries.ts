/** The reader on summaries, beside the passages or in place of them (SuRe 4.3, table 3). */
import { type QuestionInput, readingStep } from './define.js';
import { shownAnswer } from './oracles.js';
import { shortAnswer } from './outputs/short-answer.js';
import { tagged } from './rendering.js';

export interface ReadSummariesInput extends QuestionInput {
  summaries: string[];
}

export const readSummaries = readingStep<ReadSummariesInput, string | null>({
  name: 'readSummaries',
  label: ({ passages, summaries }) => `${summaries.length} summaries, ${passages.length} passages`,
  prompt: 'read-summaries',
  maxTokens: 64,
  variables: ({ summaries }) => ({ summaries: tagged(summaries, 'summary') }),
  output: shortAnswer(),
  oracle: ({ summaries }, gold) => shownAnswer(gold, summaries),
});
