import { saysUnknown } from '../../methods/unknown.js';
import { implementStep, type ModelOutput } from '../define.js';
import { wholeSentences } from '../reading/cut.js';
import { afterFinalLabel } from '../reading/label.js';
import { bareText, plainText } from '../reading/plain.js';
import { readVerdict } from '../reading/verdict.js';
import { passagesOf } from '../rendering/background.js';
import type * as declared from './step.js';

export const checkClaim = implementStep<typeof declared.checkClaim>({
  prompt: 'check-claim',
  maxTokens: 10,
  passages: passagesOf,
  variables: ({ claim }) => ({ claim }),
  parse: parseClaimVerdict,
  fallback: () => null,
  costliest: () => 'supports',
});

const NOT_ENOUGH =
  /\b(?:not enough|insufficient|no|lack of|any) (?:\w+ )?(?:info\w*|evidence)\b|\bunverifiable\b|\b(?:not|cannot) (?:be )?(?:\w+ly )?(?:determine|verif|confirm|tell|say|know)\w*\b/i;

/** A verdict of its own before any reasons. */
const OPENING =
  /^[^\p{L}\p{N}]{0,5}(?:true|false|yes|no|supports|refutes|supported|refuted)(?:$|[^\p{L}\p{N}\s]|\n)/iu;

/** "True, but not in 1850": true of a part. */
const HALF_TRUE =
  /\b(?:but|except|however|although|though)\b[^\n]{0,200}?(?:\b(?:not|never|no|only|part|false|wrong|incorrect|untrue)\b|n['’]t\b)|\b(?:part(?:ial)?ly|half|mostly|somewhat|in part|to some extent) ?(?:true|correct|right|supported)?\b/i;

/** What is not supported need not be refuted. */
const SUPPORT =
  /(?:(?:\b(?:is|are|was|were|do|does|did) ?)?(?:\bnot|n['’]t|\bnever) (?:\w+ly )?(?:be )?)?\b(?:(?:un)?support|entail)\w*/gi;

/**
 * Reads true, yes and supports, or false, no and refutes, and unknown of what is not supported, or
 * cannot be told; undefined where the text says neither or
 * both, where it is true of a part, and where it was cut before the verdict was whole.
 */
export function parseClaimVerdict(
  output: Pick<ModelOutput, 'text' | 'cut'>,
): declared.ClaimVerdict | undefined {
  const whole = wholeSentences({ ...output, text: plainText(output.text) });
  const reply = afterFinalLabel(bareText(whole));
  if (!OPENING.test(reply) && NOT_ENOUGH.test(spelledOut(reply))) return 'unknown';
  const verdict = readVerdict(output);
  if (verdict === undefined) return saysUnknown(reply) ? 'unknown' : undefined;
  if (verdict) return HALF_TRUE.test(reply) ? undefined : 'supports';
  const refuted = readVerdict({ ...output, text: output.text.replace(SUPPORT, ' ') }) === false;
  return refuted ? 'refutes' : 'unknown';
}

function spelledOut(text: string): string {
  return text.replace(/\bcan['’]t\b|\bcan not\b/gi, 'cannot').replace(/n['’]t\b/gi, ' not');
}
