/** Reads values out of a text. Pure, in linear time. */
import { jsonIn } from '../../core/canonical-json.js';
import { isObject } from '../../core/is-object.js';
import { wordsOf } from '../../core/unknown.js';
import type { ModelOutput } from './output.js';

/** Marks the missing end of a cut output. */
const MISSING = '…';

/**
 * Returns the text with the marks of a keyboard with Latin letters, one space for a run of them,
 * and without marks of emphasis, tokens of a chat template, and lines that only open or close a
 * formula. An answer between tags stands behind a label. Of a text that was cut the unfinished word
 * is replaced by a mark.
 */
export function plainText({ text, cut }: ModelOutput): string {
  return (cut ? `${text.replace(/[^\s\])}]{0,200}$/, '')} ${MISSING}` : text)
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/<\|[^|<>\n]{1,30}\|>|<\/s>|^\s*assistant\s*\n/g, '\n')
    .replace(/<(\/?)answer>/gi, (_, close) => (close ? '\n' : '\nAnswer: '))
    .replace(/[^\S\n]+/g, ' ')
    .replace(/[：＞［］（）]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xfee0))
    .replace(/\*\*|__|`/g, '')
    .replace(/^ ?(?:\\[[\]]|\$\$) ?$/gm, '')
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

const PAIRS = [
  ...['" "', "' '", '“ ”', '‘ ’', '« »', '「 」', '[ ]', '( )', '{ }', '< >'],
  ...['** **', '* *', '__ __', '_ _', '$$ $$', '$ $', '\\[ \\]', '\\( \\)'],
].map((pair) => pair.split(' '));

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
  const [, boxed] = /^\\(?:boxed|text|textbf|mathrm) ?\{(.*)\}$/.exec(text) ?? [];
  if (boxed !== undefined && !/^[^{]*\}/.test(boxed)) return boxed;
  const [open = '', close = ''] =
    PAIRS.find(([start = '', end = '']) => text.startsWith(start) && text.endsWith(end)) ?? [];
  const inner = text.slice(open.length, -close.length);
  const isWhole = text.length >= open.length + close.length && open !== '';
  return isWhole && !inner.includes(open) && !inner.includes(close) ? inner : text;
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

/** What may stand before the words of a label. */
const LEAD =
  "[^\\p{L}\\p{N}\\n]{0,12}(?:(?:so|therefore|thus|hence|here is|here['’]s|the|my|final|correct|right|short|new|ranked|selected|best|most likely)[ ,]{1,2}){0,4}";
const CLOSED = `["”')\\]*]{0,3} ?`;

/**
 * Returns what stands behind the last label: "Answer:", "The answer is", or "Answer" as a heading.
 * One that begins its line goes before those within a sentence; where one of these follows it and
 * says something else, nothing stands behind a label. Undefined where there is no label with anything
 * behind it.
 *
 * @param names The label's words, as alternatives of a pattern.
 */
export function behindLabel(text: string, names: string): string | undefined {
  const label = `(?:${names})${CLOSED}`;
  const behind = (pattern: string, within: string) => {
    const last = [...within.matchAll(new RegExp(`(?:${pattern})\\s*(?=\\S)`, 'gimu'))].at(-1);
    return last && within.slice(last.index + last[0].length);
  };
  const begins = behind(`^${LEAD}${label}(?::|=|is:|[^\\p{L}\\p{N}\\n]{0,4}\\n)`, text);
  const said = begins?.replace(new RegExp(`^${LEAD}${label}(?::|=|is:|is )\\s*(?=\\S)`, 'iu'), '');
  const inSentence = behind(
    `(?<![\\p{L}\\p{N}])${label}(?:is:|is (?=\\S)|:\\s*\\n)|[.!?;,] ${LEAD}${label}[:=]`,
    said ?? text,
  );
  if (said === undefined || inSentence === undefined) return said ?? inSentence;
  return firstWords(said) === firstWords(inSentence) ? said : '';
}

function firstWords(text: string): string {
  return wordsOf(linesOf(text)[0] ?? '');
}

/** Tells whether a line is a label and nothing else. */
export function isLabel(line: string, names: string): boolean {
  return new RegExp(`^${LEAD}(?:${names})(?: is)?[^\\p{L}\\p{N}]*$`, 'iu').test(line);
}

/** Tells whether a line begins with the words of a label: "The answer to this question would be". */
export function startsWithLabel(line: string, names: string): boolean {
  return new RegExp(`^${LEAD}(?:${names})(?![\\p{L}\\p{N}])`, 'iu').test(line);
}

/** Returns the JSON that an output is, fenced or not, or that its one fenced part is. */
export function jsonOf({ text, cut }: ModelOutput): unknown {
  if (cut) return undefined;
  const fenced = [...text.matchAll(/^ *```(?:json)? *\n(.*?)\n *```/gms)];
  const [, inside] = fenced.length === 1 ? (fenced[0] ?? []) : [];
  return jsonIn(inside ?? text);
}

/** Tells whether an output is a JSON object, of whatever form. */
export function isJsonObject(output: ModelOutput): boolean {
  return isObject(jsonOf(output));
}

/** Returns the members of a JSON object that has exactly these. */
export function membersOf(output: ModelOutput, names: readonly string[]): unknown[] | undefined {
  const json = jsonOf(output);
  if (!isObject(json) || Object.keys(json).length !== names.length) return undefined;
  return names.every((name) => Object.hasOwn(json, name))
    ? names.map((name) => json[name])
    : undefined;
}
