/** Compares answers in different wording. Pure. */

/** Pattern of a decimal point: "3.5", ".5". */
const POINT = String.raw`(?<![\p{L}\p{M}.])\.(?=\p{N})`;
/** Pattern of signs before a number: "-5", "<5", "-$5". */
const BEFORE = String.raw`(?<![\p{L}\p{N}\p{M}])[-<>≤≥](?=\p{Sc}?\.?\p{N})|\p{Sc}(?=\s?-?\.?\p{N})`;
/** Pattern of signs after a number: "50%", "20°", "5 €". */
const BEHIND_NUMBER = String.raw`(?<=\p{N}\s?)[%‰°\p{Sc}]`;
/** Pattern of signs after a word ("C++", "C#", "18+"), and after one or two letters ("O-"). */
const BEHIND_WORD = String.raw`(?<=[\p{L}\p{N}+])[+#](?![\p{L}\p{N}])|(?<=(?<![\p{L}\p{N}])\p{L}{1,2})-(?![\p{L}\p{N}-])`;
/** Pattern of the parts that distinguish answers. */
const DISTINGUISHING = new RegExp(
  String.raw`[\p{L}\p{N}\p{M}]+|\s+|${POINT}|${BEFORE}|${BEHIND_NUMBER}|${BEHIND_WORD}`,
  'gu',
);

/**
 * Returns the key by which answers are compared: answers with equal keys count as the same answer.
 * The key is the answer without letter case, articles and punctuation, as for SQuAD's exact match.
 * Unlike exact match, it keeps signs that change the meaning: a decimal point, minus, comparison
 * and currency signs before a number, per cent, degree and currency signs after one, + or # after a
 * word, and - after one or two letters. An answer that consists of articles or punctuation only,
 * such as the band The The, is kept whole, in lower case.
 *
 * @example answerKey('The U.S.') === answerKey('us') // true
 * @example answerKey('C++') === answerKey('C#') // false
 */
export function answerKey(answer: string): string {
  const plain = answer
    .normalize('NFC')
    .toLowerCase()
    .replace(/(?<![\p{L}\p{N}])[−–](?=\p{N})/gu, '-');
  const key = (plain.match(DISTINGUISHING) ?? [])
    .join('')
    .replace(/(?<![\p{L}\p{N}\p{M}])(?:a|an|the)(?![\p{L}\p{N}\p{M}+#-])/gu, ' ')
    .replace(/(?<=\p{Sc})\s+(?=[-.]?\p{N})|(?<=\p{N})\s+(?=[%‰°\p{Sc}])/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (key === '') return plain.trim();
  // A sign may no longer be at the border of a word once other signs are removed.
  return key === answer ? key : answerKey(key);
}

/**
 * Returns the answers in their order without duplicates: of answers that differ only in letter
 * case, articles or punctuation (`answerKey`), only the first.
 */
export function distinctAnswers(answers: readonly string[]): string[] {
  const seen = new Set<string>();
  return answers.filter((answer) => {
    const key = answerKey(answer);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
