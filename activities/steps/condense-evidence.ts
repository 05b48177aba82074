/** ALLIES, Retrieve: passages condensed to what bears on the question (section 4.3, appendix C.3). */
import { wholeSentences } from '../reading/cut.js';
import { bareText } from '../reading/plain.js';
import { isRefusal, saysNothing } from '../reading/refusal.js';
import { withoutQuestion } from '../reading/repeated-question.js';
import { defineStep, type ModelOutput } from './step.js';

export interface CondenseEvidenceInput {
  /** The original question, not the sub-query. */
  question: string;
  /** What the passages were searched with; for people who read the history, not for the model. */
  query: string;
  /** Ids, in the order shown. */
  passages: string[];
}

/** Empty when the passages hold none, and when the output stayed unreadable. */
export const condenseEvidence = defineStep<CondenseEvidenceInput, string>({
  prompt: 'condense-evidence',
  maxTokens: 256,
  passages: (input) => input.passages,
  variables: ({ question }) => ({ question }),
  parse: (output, { question }) => parseEvidence(output, question),
  fallback: () => '',
});

const HEADING =
  /^(?:(?:here is|below is|the following is)[^\n:]{0,80}:\s{0,2})?(?:(?:(?:relevant|factual) ){0,2}(?:information|evidence|facts) ?:\s{0,2})?/i;

/**
 * The information without a heading, of what was cut the whole sentences; empty where it says that
 * there is none. Undefined when it says nothing, or is a refusal.
 */
export function parseEvidence(
  output: Pick<ModelOutput, 'text' | 'cut'>,
  question = '',
): string | undefined {
  const evidence = withoutQuestion(bareText(wholeSentences(output)), question)
    .replace(HEADING, '')
    .trim();
  if (saysNothing(evidence)) return '';
  return /[\p{L}\p{N}]/u.test(evidence) && !isRefusal(evidence) ? evidence : undefined;
}
