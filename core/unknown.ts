/** Telling an answer from the word that there is none. Pure. */

/** What an answer becomes that says that there is none. */
export const UNKNOWN = 'unknown';

/**
 * What the shipped prompts take for "does not know", as whole answers; letter case and marks make no
 * difference. A prompt set in another language brings its own in a file `unknown.txt`, one a line.
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
  const said = keyOf(answer);
  return words.some((word) => keyOf(word) === said);
}

function keyOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}
