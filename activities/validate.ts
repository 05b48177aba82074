/** SuRe step 4: does a summary support its candidate (SuRe 3.3 eq. 4, appendix A.3). */
import { readVerdict } from './reading/verdict.js';
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
  parse: readVerdict,
  fallback: () => false,
});

const NEGATED = /\b(?:not|never|hardly|neither)\s+(?:\w+\s+){0,2}(?:true|correct|support\w*)\b/g;
const NO = /\b(?:false|no|untrue|incorrect)\b/;
const YES = /\b(?:true|yes|correct)\b/;
/** A verdict as the first word, unless it goes on to offer the other one: "True or False". */
const OPENING = /^(?:(true|yes|correct)|false|no|untrue|incorrect)\b(?! or )/;

/** Reads True or False; undefined when the text says neither, or both without saying which. */
export function parseVerdict(text: string): boolean | undefined {
  const reply = afterAnswerLabel(text.toLowerCase().replace(/n['’]t\b|\bcannot\b/g, ' not'))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(NEGATED, 'false');
  const opening = OPENING.exec(reply);
  if (opening) return opening[1] !== undefined;
  const [yes, no] = [YES.test(reply), NO.test(reply)];
  return yes === no ? undefined : yes;
}
