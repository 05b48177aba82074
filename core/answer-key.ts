/** Compares answers in different words. Pure. */

/** The point of a fraction: "3.5", ".5". */
const POINT = String.raw`(?<![\p{L}\p{M}.])\.(?=\p{N})`;
/** Before a number: "-5", "<5", "-$5". */
const BEFORE = String.raw`(?<![\p{L}\p{N}\p{M}])[-<>≤≥](?=\p{Sc}?\.?\p{N})|\p{Sc}(?=\s?-?\.?\p{N})`;
/** Behind a number: "50%", "20°", "5 €". */
const BEHIND_NUMBER = String.raw`(?<=\p{N}\s?)[%‰°\p{Sc}]`;
/** Behind a word: "C++", "C#", "18+"; and behind one or two letters "O-". */
const BEHIND_WORD = String.raw`(?<=[\p{L}\p{N}+])[+#](?![\p{L}\p{N}])|(?<=(?<![\p{L}\p{N}])\p{L}{1,2})-(?![\p{L}\p{N}-])`;
/** What of an answer tells it from others. */
const TELLING = new RegExp(
  String.raw`[\p{L}\p{N}\p{M}]+|\s+|${POINT}|${BEFORE}|${BEHIND_NUMBER}|${BEHIND_WORD}`,
  'gu',
);

/**
 * Returns what is left of an answer without letter case, articles and punctuation, as exact match has it
 * (SQuAD's normalisation). But a sign that makes another answer of a number or a word stays, which exact
 * match drops: the point of a fraction, a minus, a currency, a per cent, and + or # behind a word. An
 * answer made of nothing else, as of the band The The, is kept whole.
 *
 * @example answerKey('The U.S.') === answerKey('us') // true
 * @example answerKey('C++') === answerKey('C#') // false
 */
export function answerKey(answer: string): string {
  const plain = answer
    .normalize('NFC')
    .toLowerCase()
    .replace(/(?<![\p{L}\p{N}])[−–](?=\p{N})/gu, '-');
  const key = (plain.match(TELLING) ?? [])
    .join('')
    .replace(/(?<![\p{L}\p{N}\p{M}])(?:a|an|the)(?![\p{L}\p{N}\p{M}+#-])/gu, ' ')
    .replace(/(?<=\p{Sc})\s+(?=[-.]?\p{N})|(?<=\p{N})\s+(?=[%‰°\p{Sc}])/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (key === '') return plain.trim();
  // A sign may stand at the border of a word only until what is left of it has gone.
  return key === answer ? key : answerKey(key);
}

/** Returns the answers without those that are the same as an earlier one. */
export function distinctAnswers(answers: readonly string[]): string[] {
  const seen = new Set<string>();
  return answers.filter((answer) => {
    const key = answerKey(answer);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
