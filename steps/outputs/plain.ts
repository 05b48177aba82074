/** Reads values out of a text. Pure, in linear time. */
import { jsonIn } from '../../core/canonical-json.js';
import type { ModelOutput } from './output.js';

/** Marks the missing end of a cut output. */
const MISSING = '…';

/**
 * Returns the text with the marks of a keyboard with Latin letters, one space for a run of them,
 * and without marks of emphasis. Of a text that was cut the unfinished word is replaced by a mark.
 */
export function plainText({ text, cut }: ModelOutput): string {
  return (cut ? `${text.replace(/[^\s\])}]{0,200}$/, '')} ${MISSING}` : text)
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/[：＞［］（）]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xfee0))
    .replace(/\*\*|__|`/g, '')
    .trim();
}

/** Returns the trimmed lines that say something, without an unfinished one. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => says(line) && !line.endsWith(MISSING));
}

/** Tells whether there is a letter or a digit. */
export function says(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

const PAIRS = ['""', "''", '“”', '‘’', '«»', '「」', '[]', '()', '{}', '<>', '**', '__', '$$'];

/** Returns a value without list sign, and without quotes, brackets and boxes around it. */
export function bare(line: string): string {
  let text = line.replace(/^(?:[-*•>] |#{1,6} )+/, '').trim();
  // Models write only a few layers.
  for (let layer = 0; layer < 4; layer++) {
    const inner = unboxed(text);
    if (inner === text) break;
    text = inner.trim();
  }
  return text;
}

function unboxed(text: string): string {
  const boxed = /^\\(?:boxed|text|mathrm) ?(\{.*\})$/.exec(text)?.[1] ?? text;
  const [open = '', close = ''] =
    PAIRS.find(([start = '', end = '']) => boxed.startsWith(start) && boxed.endsWith(end)) ?? [];
  const inner = boxed.slice(1, -1);
  const whole = open !== '' && boxed.length > 1 && !inner.includes(open) && !inner.includes(close);
  return whole ? inner : boxed;
}

/** Returns a `bare` value without its last full stop, inside or outside of the marks. */
export function bareValue(line: string): string {
  return bare(
    bare(line)
      .replace(/[.。]$/, '')
      .trim(),
  )
    .replace(/[.。]$/, '')
    .trim();
}

/**
 * Returns what stands behind the last label: "Answer:", "The answer is". Undefined where there is
 * no label with anything behind it.
 *
 * @param names The label's words, as alternatives of a pattern.
 */
export function behindLabel(text: string, names: string): string | undefined {
  const label = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${names})["”')\\]*]{0,3} ?(?::|=|is:|is (?=\\S))\\s*(?=\\S)`,
    'giu',
  );
  const last = [...text.matchAll(label)].at(-1);
  return last && text.slice(last.index + last[0].length);
}

/** Returns the JSON that an output is, fenced or not, or that its one fenced part is. */
export function jsonOf({ text, cut }: ModelOutput): unknown {
  if (cut) return undefined;
  const fenced = [...text.matchAll(/^ *```(?:json)? *\n(.*?)\n *```/gms)];
  const [, inside] = fenced.length === 1 ? (fenced[0] ?? []) : [];
  return jsonIn(inside ?? text);
}

/** Returns the members of a JSON object that has exactly these. */
export function membersOf(output: ModelOutput, names: readonly string[]): unknown[] | undefined {
  const json = jsonOf(output);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const members = json as Record<string, unknown>;
  const same = Object.keys(members).length === names.length;
  return same && names.every((name) => Object.hasOwn(members, name))
    ? names.map((name) => members[name])
    : undefined;
}
