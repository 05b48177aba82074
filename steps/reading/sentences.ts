/** Sentences of a reply. Pure. */

import { withoutItemMark } from './plain.js';

const SENTENCE_END = /(?<=[.!?][)\]"'”’]{0,2}) /u;

/** The sentences of a plain text, each with its end mark; a line, or an item of a list, ends one. */
export function sentencesOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => withoutItemMark(line).split(SENTENCE_END))
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}…]/u.test(sentence));
}

/** The words of a text in small letters, "doesn't" and "cannot" as two. */
export function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replace(/[’‘]/g, "'")
      .replace(/\bcan't\b|\bcannot\b/g, 'can not')
      .replace(/n't\b/g, ' not')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
