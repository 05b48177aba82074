/** GenRead step 2 for claims: true or false by the documents (GenRead 3.1, appendix B.1.3). */
import { saysUnknown } from '../methods/unknown.js';
import { type Background, passagesOf } from './background.js';
import { defineStep } from './step.js';
import { afterAnswerLabel } from './text.js';
import { parseVerdict } from './validate.js';

export interface CheckClaimInput extends Background {
  claim: string;
}

/** Supports or refutes, as the data sets label claims; unknown where the model will not say. */
export type ClaimVerdict = 'supports' | 'refutes' | 'unknown';

/** Null when the output stayed unreadable. */
export const checkClaim = defineStep<CheckClaimInput, ClaimVerdict | null>({
  prompt: 'check-claim',
  maxTokens: 10,
  passages: passagesOf,
  variables: ({ claim }) => ({ claim }),
  parse: ({ text }) => parseClaimVerdict(text),
  fallback: () => null,
});

const NOT_ENOUGH =
  /\b(?:not enough|insufficient|no|lack of) (?:info\w*|evidence)\b|\bunverifiable\b|\b(?:not|cannot) (?:be )?(?:determine|verif|confirm|tell|say|know)\w*\b/;
const NOT_SUPPORTED = /\b(?:not|never|hardly|un|neither)[\s-]*(?:\w+\s+){0,2}support\w*/g;
const NOT_FALSE = /\bnot\s+(?:\w+\s+){0,2}(?:false|untrue|incorrect|wrong)\b/g;
const NOT_REFUTED = /\bnot\s+(?:\w+\s+){0,2}(?:refut|contradict|disprov)\w*/g;

/** Reads true, yes and supports, or false, no and refutes; undefined where the text says neither. */
export function parseClaimVerdict(text: string): ClaimVerdict | undefined {
  const plain = text
    .toLowerCase()
    .replace(/[*_`"“”]/g, '')
    .replace(/n['’]t\b/g, ' not')
    .replace(/\bcannot\b/g, 'can not')
    .replace(NOT_REFUTED, ' ')
    .replace(NOT_SUPPORTED, 'false')
    .replace(NOT_FALSE, 'true')
    .replace(/\bsupport\w*/g, 'true')
    .replace(/\b(?:refut|contradict|disprov)\w*|\bwrong\b/g, 'false');
  const reply = afterAnswerLabel(plain).trim();
  if (NOT_ENOUGH.test(reply) || saysUnknown(reply.replace(/can not/g, 'cannot'))) return 'unknown';
  const verdict = parseVerdict(reply);
  return verdict === undefined ? undefined : verdict ? 'supports' : 'refutes';
}
