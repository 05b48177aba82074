/** Fact checking and yes/no questions: which of two sides an answer takes, and whether rightly. */
import { exactMatch } from './exact-match.js';

export type FactLabel = 'supports' | 'refutes';

const SIDE: Readonly<Record<string, FactLabel>> = {
  supports: 'supports',
  support: 'supports',
  supported: 'supports',
  true: 'supports',
  yes: 'supports',
  refutes: 'refutes',
  refute: 'refutes',
  refuted: 'refutes',
  false: 'refutes',
  no: 'refutes',
};

/** What may stand before the label: "The claim is", "Answer:", "It is". */
const BEFORE = String.raw`(?:(?:so|therefore|thus|hence)\b,?\s*)?(?:(?:the |this |that |my |final )*(?:answer|label|verdict|claim|statement|it|this|that)(?:\s+(?:is|are|would be))?\s*[:=]?\s*|(?:the )?(?:evidence|passages?|documents?|text)\s+)?`;
/** What may stand after it, so that "no evidence" and "true or false" are not labels. */
const AFTER = String.raw`(?=\s*$|\s*[.,;:!–—\n-]|\s+(?:as|because|since|given|according|based)\b|\s+(?:the|this|that) (?:claim|statement)\b)`;
const LABEL = new RegExp(
  String.raw`^${BEFORE}(not\s+)?(${Object.keys(SIDE).join('|')})${AFTER}(?!\s*-\s*\p{L})`,
  'u',
);

/**
 * Which side an answer takes: the label words of GenRead's fact checking (supports, true, yes;
 * refutes, false, no), alone or at the head of a sentence. Undefined when it takes none: "not
 * enough information", "true or false", "no evidence".
 *
 * @example readFactLabel('False. The film is of 1984.') // 'refutes'
 * @example readFactLabel('not true') // 'refutes'
 */
export function readFactLabel(answer: string): FactLabel | undefined {
  const plain = answer
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[*_`"'“”‘’()[\]{}]/g, '')
    .trim();
  const [, not, word = ''] = LABEL.exec(plain) ?? [];
  const side = SIDE[word];
  if (not === undefined || side === undefined) return side;
  // What is not supported need not be refuted.
  if (word === 'true') return 'refutes';
  return word === 'false' ? 'supports' : undefined;
}

/**
 * 1 when the prediction takes the side of the accepted answers, else 0. Where the answers name
 * neither side, as "not enough info", exact match decides.
 */
export function labelAccuracy(prediction: string, answers: readonly string[]): number {
  const expected = answers.map(readFactLabel).find((label) => label !== undefined);
  if (expected === undefined) return exactMatch(prediction, answers);
  return readFactLabel(prediction) === expected ? 1 : 0;
}
