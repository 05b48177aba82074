/** A number from 0 to a maximum, said as the score. Pure. */
import type { ModelOutput } from '../define.js';
import { closedText } from './cut.js';
import { bareText } from './plain.js';

const DIGITS = String.raw`(?<![\p{L}\p{N}.,\-–])(\d{1,4}(?:[.,]\d{1,8})?|\.\d{1,8})(?![\p{L}\p{N}]|[.,]\d)`;
const UNIT = String.raw`(?: ?(%|percent\b|\/ ?\d{1,4}|out of \d{1,4}))?`;
/** "8", "[8]", "8/10", "[8]/10", "(80%)" */
const VALUE = String.raw`[[("']{0,2} ?${DIGITS}(?: ?\])?${UNIT}(?: ?[\])]|["']){0,2}`;
const ABOUT = `(?:(?:about|around|approximately|roughly|~|a|an) ){0,2}`;
const NAME = 'score|rating|probability|confidence|likelihood|estimate|grade|answer';
const LABELLED = new RegExp(
  String.raw`(?<!\p{L})(?:${NAME})(?!\p{L})[^\d.\n]{0,60}?(?:(?:\bis|\bof|\bat|\bas|\bbe)(?!\p{L})|[:=]) ?:?\s?${ABOUT}${VALUE}(?! ?\?)`,
  'giu',
);
/** "I would say 0.6", "I give it a 6", "so [8]" */
const SAID = new RegExp(
  String.raw`(?:\b(?:say|give|rate|assign|estimate|score)\b[^\d.\n]{0,40}? |\b(?:so|thus|therefore|hence),? (?=\[))${ABOUT}${VALUE}(?= ?(?:$|[.,;:!\n]))`,
  'giu',
);
const ALONE = new RegExp(`^${VALUE}[.,;!]{0,2}$`, 'iu');
const OPENING = new RegExp(`^${VALUE}`, 'iu');
/** What closes a number that opens a reply: "0.8 (firm evidence)", not "3 of the 5". */
const CLOSED = /^(?:\n| ?[,;:(–—]| - |[.!] | (?:as|because|since|given)\b)/i;
/** A reply that begins "1. The evidence" is a list. */
const LIST_MARK = /^(?:[-*•] |\(?1[.)] ){0,4}/;
/** A band and not a number, or the number that it is not. */
const SIZE = String.raw`(?<![\d.])\d{0,4}\.?\d{1,8}(?![\d.])`;
const NOT_THE_SCORE = new RegExp(
  String.raw`\bbetween ${SIZE} and ${SIZE}|${SIZE} ?(?:-|–|to) ?${SIZE}|\b(?:not|than|below|above|under|over) (?:a |an )?[[(]?${SIZE}[\])]?`,
  'giu',
);

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
  const plain = bareText(closedText(output)).replace(/["“”]/g, '').replace(LIST_MARK, '');
  const whole = ALONE.exec(plain);
  if (whole) return inRange(whole, most);
  const clear = plain.replace(NOT_THE_SCORE, ' ').trim();
  const lines = clear.split('\n').map((line) => line.trim());
  const found =
    [...clear.matchAll(LABELLED)].at(-1) ??
    opening(clear) ??
    lines.map((line) => ALONE.exec(line)).findLast((match) => match !== null) ??
    [...clear.matchAll(SAID)].at(-1);
  return found && inRange(found, most);
}

function opening(text: string): RegExpExecArray | null {
  const match = OPENING.exec(text);
  const [value = ''] = match ?? [];
  return /[\])]$/.test(value) || CLOSED.test(text.slice(value.length)) ? match : null;
}

function inRange([, digits = '', unit = '']: RegExpMatchArray, most: number): number | undefined {
  const scale = unit === '' ? most : Number(/\d+/.exec(unit)?.[0] ?? 100);
  const score = (Number(digits.replace(',', '.')) * most) / scale;
  return score >= 0 && score <= most ? score : undefined;
}
