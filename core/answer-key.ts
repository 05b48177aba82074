/** Compares answers in different words. Pure. */

/**
 * Returns what is left of an answer without letter case, articles and punctuation: the same for
 * answers that exact match takes for the same (SQuAD's normalisation), but for the point of a
 * decimal fraction, which stays. An answer made of nothing else, as of the band The The, is kept
 * whole.
 *
 * @example answerKey('The U.S.') === answerKey('us') // true
 */
export function answerKey(answer: string): string {
  const plain = answer.normalize('NFC').toLowerCase();
  const key = plain
    .replace(/(?<!\p{N})\.|\.(?!\p{N})|[^\p{L}\p{N}\p{M}\s.]/gu, '')
    .replace(/(?<![\p{L}\p{N}\p{M}])(?:a|an|the)(?![\p{L}\p{N}\p{M}])/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return key === '' ? plain.trim() : key;
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
