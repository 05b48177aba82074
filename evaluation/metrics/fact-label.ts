/** Fact checking and yes/no questions: which side an answer takes, if any, and whether rightly. */

import { exactMatch } from '../../core/normalize-answer.js';
import { saysUnknown } from '../../core/unknown.js';

/**
 * Sides of an answer. "Not supported" need not mean refuted, since nothing may settle the claim.
 */
const VERDICTS = ['supports', 'refutes', 'notSupported'] as const;
type Verdict = (typeof VERDICTS)[number];

/** The words for each, under its name. */
const WORDS = [
  '(?<supports>supports?|supported|entail(?:s|ed|ment)|true|correct|yes)',
  '(?<refutes>refutes?|refuted|contradict(?:s|ed|ion)?|false|incorrect|no)',
  '(?<notSupported>unsupported)',
].join('|');

/** Pattern of words before the label: "The claim is", "Answer:", "It is". */
const BEFORE = String.raw`(?:(?:so|therefore|thus|hence)\b,?\s*)?(?:(?:the |this |that |my |final )*(?:answer|label|verdict|claim|statement|it|this|that)(?:\s+(?:is|are|would be))?\s*[:=]?\s*|(?:the )?(?:evidence|passages?|documents?|text)\s+)?`;
/** Pattern of what may follow it, so that "no evidence" and "true or false" are not labels. */
const AFTER = String.raw`(?=\s*$|\s*[.,;:!–—\n-]|\s+(?:as|because|since|given|according|based|by)\b|\s+(?:the|this|that) (?:claim|statement)\b)`;
const LABEL = new RegExp(
  String.raw`^${BEFORE}(?<not>not[\s-]*)?(?:${WORDS})${AFTER}(?!\s*-\s*\p{L})`,
  'u',
);

/**
 * Returns the side that an answer takes: the label words of GenRead's fact checking (supports,
 * true, yes; refutes, false, no) and of entailment, alone or at the beginning of a sentence.
 * Undefined if it takes none: "not enough information", "true or false", "no evidence".
 */
function verdictOf(answer: string): Verdict | undefined {
  const plain = answer
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[*_`"'“”‘’()[\]{}]/g, '')
    .trim();
  const { not, ...said } = LABEL.exec(plain)?.groups ?? {};
  const side = VERDICTS.find((verdict) => said[verdict] !== undefined);
  if (not === undefined || side === undefined) return side;
  if (said.supports === 'true' || said.supports === 'correct') return 'refutes';
  if (said.refutes === 'false') return 'supports';
  return side === 'supports' ? 'notSupported' : undefined;
}

/** Pattern of labels for a claim that nothing settles, such as FEVER's NOT ENOUGH INFO. */
const NOT_ENOUGH =
  /^\W*(?:nei|(?:not[\s_-]*enough|insufficient|no)[\s_-]*(?:info|information|evidence)|unverifiable|unverified|unproven|undecidable|neutral)\b/iu;
/** Classes that are no answer to a question of another kind. */
const CLASS =
  /^(?:supports|supported|refutes|refuted|not[\s_-]*supported|not[\s_-]*enough[\s_-]*(?:info|information|evidence))$/i;

/**
 * Tells whether an accepted answer is a class of a claim, by the names of FEVER, HoVer and similar
 * sets.
 */
export function isClaimClass(answer: string): boolean {
  return CLASS.test(answer.trim());
}

/**
 * 1 when the prediction is of a class of the accepted answers, else 0: supports, refutes, not
 * enough information; not supported, which is either of the last two. Where the answers name none
 * of them exact match decides.
 */
export function labelAccuracy(prediction: string, answers: readonly string[]): number {
  const classes = new Set(answers.flatMap(classesOf));
  if (classes.size === 0) return exactMatch(prediction, answers);
  if (verdictOf(prediction) === 'notSupported') return classes.has('notSupported') ? 1 : 0;
  return classesOf(prediction).some((name) => classes.has(name)) ? 1 : 0;
}

type ClaimClass = Verdict | 'notEnough';

/** Returns the classes that an answer can mean. */
function classesOf(answer: string): ClaimClass[] {
  const verdict = verdictOf(answer);
  // HoVer has one class for refuted and unsettled claims.
  if (verdict === 'notSupported') return [verdict, 'refutes', 'notEnough'];
  if (verdict !== undefined) return [verdict];
  return NOT_ENOUGH.test(answer) || saysUnknown(answer) ? ['notEnough'] : [];
}
