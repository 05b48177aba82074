import { implementStep } from '../define.js';
import { readAnswer } from '../read/implementation.js';
import { takenApart } from '../reading/text.js';
import type * as declared from './step.js';

export const readSummaries = implementStep<typeof declared.readSummaries>({
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
