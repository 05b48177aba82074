/** Scores the verdicts on claims and the answers to yes/no questions. Pure. */

import { exactMatch } from '../../core/normalize-answer.js';
import { saysUnknown } from '../../core/unknown.js';

/**
 * The verdicts of an answer. "Not supported" need not mean refuted: the evidence may be insufficient.
 */
const VERDICTS = ['supports', 'refutes', 'notSupported'] as const;
type Verdict = (typeof VERDICTS)[number];

/** Pattern of the words for each verdict, in a group of its name. */
const WORDS = [
  '(?<supports>supports?|supported|entail(?:s|ed|ment)|true|correct|yes)',
  '(?<refutes>refutes?|refuted|contradict(?:s|ed|ion)?|false|incorrect|no)',
  '(?<notSupported>unsupported)',
].join('|');

/** Pattern of words before the label: "The claim is", "Answer:", "It is". */
const BEFORE = String.raw`(?:(?:so|therefore|thus|hence)\b,?\s*)?(?:(?:the |this |that |my |final )*(?:answer|label|verdict|claim|statement|it|this|that)(?:\s+(?:is|are|would be))?\s*[:=]?\s*|(?:the )?(?:evidence|passages?|documents?|text)\s+)?`;
/** Pattern of what may follow the label, so that "no evidence" and "true or false" are not labels. */
const AFTER = String.raw`(?=\s*$|\s*[.,;:!–—\n-]|\s+(?:as|because|since|given|according|based|by)\b|\s+(?:the|this|that) (?:claim|statement)\b)`;
const LABEL = new RegExp(
  String.raw`^${BEFORE}(?<not>not[\s-]*)?(?:${WORDS})${AFTER}(?!\s*-\s*\p{L})`,
  'u',
);

/**
 * Returns the verdict of an answer: the label words of GenRead's fact checking (supports, true,
 * yes; refutes, false, no) and of entailment, alone or at the beginning of a sentence. Undefined if
 * there is none: "not enough information", "true or false", "no evidence".
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

/** Pattern of labels for a claim without enough evidence, such as FEVER's NOT ENOUGH INFO. */
const NOT_ENOUGH =
  /^\W*(?:nei|(?:not[\s_-]*enough|insufficient|no)[\s_-]*(?:info|information|evidence)|unverifiable|unverified|unproven|undecidable|neutral)\b/iu;
/** Pattern of class names that cannot be the answer to another kind of question. */
const CLASS =
  /^(?:supports|supported|refutes|refuted|not[\s_-]*supported|not[\s_-]*enough[\s_-]*(?:info|information|evidence))$/i;

/**
 * Returns whether an accepted answer is the class of a claim, in the words of FEVER, HoVer and
 * similar data sets.
 */
export function isClaimClass(answer: string): boolean {
  return CLASS.test(answer.trim());
}

/**
 * Returns 1 if the prediction and an accepted answer mean the same class, else 0. The classes are
 * supports, refutes, not enough information, and not supported. If not supported is accepted,
 * refutes and not enough information are right too, but not the reverse. If no accepted answer is a
 * class, returns the exact match.
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
