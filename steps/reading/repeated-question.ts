/** The question that a model writes again before it answers. Pure. */

const LABEL =
  /^[^\p{L}\p{N}]{0,6}(?:(?:the )?(?:original )?question|q)["”'*)]{0,3} ?(?:\d{1,2} ?)?[:.] ?/iu;
const END = /^ ?["”'’)\]]{0,3}[?？؟:.!…]{0,3}["”'’)\]]{0,3}\s{0,3}(?:(?:->|→|[-–—=]) ?)?/u;
/** What ends a question, so that what begins with a short one is not an answer: "The Who was". */
const CLOSED = /^ ?["”'’)\]]{0,3}(?:[?？؟:\n]|$)/u;
/** A text that begins with this many words of a question, which are all it has, repeats it. */
const WORDS_OF_A_QUESTION = 4;

/**
 * A plain text from behind the question that it begins with, however letter case, marks and spaces
 * differ; the text itself where it begins otherwise. Empty where there is nothing else.
 */
export function withoutQuestion(text: string, question: string): string {
  const asked = wordsOf(question);
  const start = LABEL.exec(text)?.[0].length ?? 0;
  if (asked.length === 0) return text;
  const word = /[\p{L}\p{N}]+/gu;
  word.lastIndex = start;
  for (const expected of asked) {
    if (word.exec(text)?.[0].toLowerCase() !== expected) return text;
  }
  const rest = text.slice(word.lastIndex);
  if (asked.length < WORDS_OF_A_QUESTION && !CLOSED.test(rest)) return text;
  return rest.replace(END, '');
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
