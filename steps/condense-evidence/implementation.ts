import { implementStep, type ModelOutput } from '../define.js';
import { wholeSentences } from '../reading/cut.js';
import { bareText } from '../reading/plain.js';
import { withoutPreamble } from '../reading/preamble.js';
import { isRefusal, saysNothing } from '../reading/refusal.js';
import { withoutQuestion } from '../reading/repeated-question.js';
import type * as declared from './step.js';

export const condenseEvidence = implementStep<typeof declared.condenseEvidence>({
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
  const evidence = withoutPreamble(withoutQuestion(bareText(wholeSentences(output)), question))
    .replace(HEADING, '')
    .trim();
  if (saysNothing(evidence)) return '';
  return /[\p{L}\p{N}]/u.test(evidence) && !isRefusal(evidence) ? evidence : undefined;
}
