/** Recognises an answer that says that there is none. Pure. */

/** The answer that stands for "does not know". */
export const UNKNOWN = 'unknown';

/**
 * The words for "does not know" of the shipped prompts, as whole answers; letter case and
 * punctuation make no difference. A prompt set in another language brings its own in `unknown.txt`,
 * one a line.
 */
export const UNKNOWN_WORDS: readonly string[] = [
  UNKNOWN,
  'not known',
  'none',
  'none of the above',
  'n/a',
  'unclear',
  'no answer',
  "I don't know",
  'I do not know',
  'insufficient',
  'insufficient information',
  'not enough information',
  'no information',
  'not mentioned',
  'not specified',
  'not provided',
  'not stated',
  'cannot be determined',
  'unanswerable',
];

/** Tells whether the whole of an answer is one of the words for "does not know". */
export function saysUnknown(answer: string, words: readonly string[] = UNKNOWN_WORDS): boolean {
  const said = wordsOf(answer);
  return words.some((word) => wordsOf(word) === said);
}

/** Returns letters and digits in small, with one space between words. */
export function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}
