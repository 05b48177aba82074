import { implementStep } from '../define.js';
import { parseFinishedSummary, parseSummary } from '../summarize/implementation.js';
import type * as declared from './step.js';

export const summarizeGeneric = implementStep<typeof declared.summarizeGeneric>({
  prompt: 'summarize-generic',
  maxTokens: 384,
  passages: (input) => input.passages,
  variables: ({ question }) => ({ question }),
  parse: (output, { question }) => parseFinishedSummary(output, question),
  fallback: ({ text }, { question }) => parseSummary(text, question) ?? '',
});
