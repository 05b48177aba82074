/** A number from 0 to a maximum, said as the score. Pure. */
import type { ModelOutput } from '../define.js';
import { closedText } from './cut.js';
import { bareText } from './plain.js';
import { sentencesOf } from './sentences.js';

const DIGITS = String.raw`(?<![\p{L}\p{N}.,\-–])(\d{1,4}(?:[.,]\d{1,8})?|\.\d{1,8})(?![\p{L}\p{N}]|[.,]\d)`;
const UNIT = String.raw`(?: ?(%|percent\b|(?:\/|out of) ?\d{1,4}(?:\.0{1,2})?(?!\d)))?`;
/** "8", "[8]", "8/10", "[8]/10", "(80%)" */
const VALUE = String.raw`[[("']{0,2} ?${DIGITS}(?: ?\])?${UNIT}(?: ?[\])]|["']){0,2}`;
const ABOUT = `(?:(?:about|around|approximately|roughly|~|a|an|but) ){0,2}`;
const NAME = 'score|rating|probability|confidence|likelihood|estimate|grade';
/** What closes a number, or gives reasons: not "5 passages", "8 or 9", "0.9 would be too high". */
const END = String.raw`(?= ?(?:$|\n|[.!](?!\d)|[,;:)\]}"](?! ?\d)|[(–—-](?! ?[\d…])|\+ ?(?:$|\n)|(?:as|because|since|given|for|on|based|with|and|in|due|while|though|although|but|points?)(?!\p{L})))`;
const LABELLED = new RegExp(
  String.raw`(?<!\p{L})(?:(?:${NAME})(?!\p{L})[^\d.\n]{0,60}?(?:(?:\bis|(?<!out )\bof|\bat|\bas|\bbe)(?!\p{L})|[:=])|answer ?[:=]) ?:?\s?${ABOUT}${VALUE}${END}`,
  'giu',
);
/** "I would say 0.6", "I give it a 6", "so [8]" */
const SAID = new RegExp(
  String.raw`(?:\b(?:say|give|rate|assign|estimate|score)\b[^\d.\n]{0,40}? |\b(?:so|thus|therefore|hence),? (?=\[))${ABOUT}${VALUE}${END}`,
  'giu',
);
const ALONE = new RegExp(`^${VALUE}[.,;!]{0,2}$`, 'iu');
const OPENING = new RegExp(`^${VALUE}`, 'iu');
/** What closes a number that opens a reply: "0.8 (firm evidence)", not "3 of the 5". */
const CLOSED = /^(?:\n| ?[,;:(–—]| - |[.!] | (?:as|because|since|given)\b)/i;
/** A reply that begins "1. The evidence" is a list. */
const LIST_MARK = /^(?:[-*•] |\(?1[.)] ){0,4}/;
/** What has more items, or a number a line, is of several things. */
const LIST = /\n\(?2[.)] |^\s*[\d.]+\s*\n\s*[\d.]+\s*(?:\n|$)/;
/** A band and not a number, or the number that it is not. */
const SIZE = String.raw`(?<![\d.])\d{0,4}\.?\d{1,8}(?!\d|\.\d)`;
const NOT_THE_SCORE = new RegExp(
  String.raw`\bbetween ${SIZE} and ${SIZE}|[[(] ?(?:${SIZE} ?[,;]|out of) ?${SIZE} ?[\])]|${SIZE} ?(?:-|–|to) ?${SIZE}|(?:\b(?:not|than|below|above|under|over|at least|at most|up to|minimum of|maximum of)|[<>≤≥]=?) ?(?:a |an )?[[(]?${SIZE}[\])]?`,
  'giu',
);
const NEGATION = /\b(?:not|never|cannot)\b|n['’]t\b/i;

/**
 * Reads a number from 0 to `most`; "80%" and "8/10" as well. One that stands alone, after a label,
 * at the start where it is closed, or is said as the score: no number that counts something.
 *
 * @returns undefined when there is none, or the output was stopped in the middle of the number.
 */
export function readScore(
  output: Pick<ModelOutput, 'text' | 'cut'>,
  most: number,
): number | undefined {
  const marked = bareText(closedText(output)).replace(/["“”]/g, '');
  const plain = marked.replace(LIST_MARK, '');
  const whole = ALONE.exec(plain);
  if (whole) return inRange(whole, most);
  const clear = plain.replace(NOT_THE_SCORE, ' ').replace(/ {2,}/g, ' ').trim();
  const listed = LIST.test(clear) || (output.cut && /^\(?1[.)] /.test(marked));
  const first = listed ? undefined : opening(clear);
  const found =
    said(clear, LABELLED) ?? first ?? (listed ? undefined : alone(clear)) ?? said(clear, SAID);
  return found && inRange(found, most);
}

/** The last number of a pattern that is not denied: "The score should not be 0.9." */
function said(text: string, pattern: RegExp): RegExpMatchArray | undefined {
  return [...text.matchAll(pattern)].findLast(({ 0: words, index }) => {
    const [before = ''] = /[^.!?\n]*$/.exec(text.slice(Math.max(0, index - 12), index)) ?? [];
    return !NEGATION.test(before + words);
  });
}

/** The one number that is a sentence by itself; several may be of a passage each. */
function alone(text: string): RegExpMatchArray | undefined {
  const found = sentencesOf(text).flatMap((sentence) => {
    const match = ALONE.exec(sentence);
    return match ? [match] : [];
  });
  return new Set(found.map(([, digits]) => digits)).size === 1 ? found[0] : undefined;
}

function opening(text: string): RegExpMatchArray | undefined {
  const match = OPENING.exec(text);
  const [value = ''] = match ?? [];
  const closed = /[\])]$/.test(value) || CLOSED.test(text.slice(value.length));
  return match && closed ? match : undefined;
}

function inRange([, digits = '', unit = '']: RegExpMatchArray, most: number): number | undefined {
  const scale = unit === '' ? most : Number(/\d+/.exec(unit)?.[0] ?? 100);
  const score = (Number(digits.replace(',', '.')) * most) / scale;
  return score >= 0 && score <= most ? score : undefined;
}
