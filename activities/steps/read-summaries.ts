/** The reader on summaries, beside the passages or in place of them (SuRe 4.3, table 3). */

import { takenApart } from '../runtime/template.js';
import { readAnswer } from './read.js';
import { defineStep } from './step.js';

export interface ReadSummariesInput {
  question: string;
  /** Ids, in the order shown; none to read the summaries alone. */
  passages: string[];
  summaries: string[];
}

/** Null when the output stayed unreadable. */
export const readSummaries = defineStep<ReadSummariesInput, string | null>({
  prompt: 'read-summaries',
  maxTokens: 64,
  passages: (input) => input.passages,
  variables: ({ question, summaries }) => ({
    question,
    summaries: renderSummaries(summaries),
  }),
  parse: (output, { question }) => readAnswer(output, question),
  fallback: () => null,
});

/** Summaries between tags that none of them can close. */
function renderSummaries(summaries: readonly string[]): string {
  return summaries
    .map((summary, i) => {
      const text = takenApart(summary, 'summary');
      return `<summary number="${i + 1}">\n${text}\n</summary>`;
    })
    .join('\n');
}
