/** SuRe step 4: does a summary support its candidate (SuRe 3.3 eq. 4, appendix A.3). */
import { defineStep } from './step.js';
import { afterAnswerLabel } from './text.js';

export interface ValidateInput {
  question: string;
  candidate: string;
  summary: string;
}

/** True is v=1; anything else is v=0, an output that stays unreadable included. */
export const validate = defineStep<ValidateInput, boolean>({
  prompt: 'validate',
  maxTokens: 16,
  variables: ({ question, candidate, summary }) => ({ question, candidate, summary }),
  parse: ({ text }) => parseVerdict(text),
  fallback: () => false,
});

const NEGATED =
  /\b(?:not|n't|n’t|never|hardly|cannot|neither)\s+(?:\w+\s+){0,2}(?:true|correct|support\w*)\b/g;
const NO = /\b(?:false|no|untrue|incorrect|incorrectly|unsupported)\b/g;
const YES = /\b(?:true|yes|correct)\b/g;

/** Reads True or False; undefined when the text says neither, or both without saying which. */
export function parseVerdict(text: string): boolean | undefined {
  const reply = afterAnswerLabel(
    text.toLowerCase().replace(/[*_`"'“”‘’[\]()]/g, (c) => (/['’]/.test(c) ? c : ' ')),
  )
    .replace(/'(?!t\b)/g, ' ')
    .trim();
  const plain = reply.replace(NEGATED, ' false ').replace(/\s+/g, ' ').trim();
  if (/^(?:true|yes|correct)\b(?!\s*(?:or|\/)\s)/.test(plain)) return true;
  if (/^(?:false|no|untrue|incorrect)\b(?!\s*(?:or|\/)\s)/.test(plain)) return false;
  const [yes, no] = [plain.match(YES) !== null, plain.match(NO) !== null];
  return yes === no ? undefined : yes;
}
