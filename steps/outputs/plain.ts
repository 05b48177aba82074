/** Helpers that read values from a model's text. Pure, in linear time. */
import { parseJson } from '../../core/canonical-json.js';
import { withoutLastCitations } from '../../core/citations.js';
import { isObject } from '../../core/is-object.js';
import { normalizedWords } from '../../core/unknown.js';
import type { ModelOutput } from './output.js';

/** Mark in place of the missing end of a cut output. */
const MISSING = '…';

/** Pattern of invisible characters: zero-width ones, and direction marks. */
const UNSEEN = /[\u200b\u200e\u200f\u2060\ufeff]/g;

/** Pattern of a horizontal rule in Markdown. */
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,}) *$/gm;

/**
 * Returns a model's text in a simpler form: full-width colons and brackets become ASCII, runs of
 * spaces become one, and fences or quotes around it, Markdown emphasis and rules, invisible
 * characters, chat template tokens and LaTeX delimiters are removed. `<answer>` tags become the
 * label "Answer:". The unfinished last word of a cut text is replaced by "…".
 */
export function plainText({ text, cut }: ModelOutput): string {
  const seen = text
    .replace(UNSEEN, '')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/<(\/?)answer>/gi, (_, close) => (close ? '\n' : '\nAnswer: '));
  return (cut ? `${seen.replace(/[^\s\])}]{0,200}$/, '')} ${MISSING}` : unwrapText(seen))
    .replace(RULE, '')
    .replace(/<\|[^|<>\n]{1,30}\|>|<\/s>|^\s*assistant\s*\n/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/[：＞［］（）]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xfee0))
    .replace(/\*\*|__|`/g, '')
    .replace(/^ ?(?:\\[[\]]|\$\$) ?$/gm, '')
    .trim();
}

/** Returns a trimmed text without a fence, tags, \boxed{} or quotes that enclose all of it. */
export function unwrapText(text: string): string {
  const [, fenced = text] = /^```\w{0,20}\n(.*)\n```$/s.exec(text.trim()) ?? [];
  const [, , tagged = fenced] = /^<(\w+)[^<>]{0,40}>(.*)<\/\1>$/s.exec(fenced.trim()) ?? [];
  const [, boxed = tagged] = /^\\boxed ?\{([^{}]*)\}$/.exec(tagged.trim()) ?? [];
  const [, quoted] = /^["“]([^"“”]*)["”]$/.exec(boxed.trim()) ?? [];
  return (quoted ?? boxed).trim();
}

/**
 * Returns the trimmed lines of a text that contain a letter or digit. Leaves out a line that ends
 * in the mark "…", by which `plainText` shows that the text was cut there.
 */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => hasWords(line) && !line.endsWith(MISSING));
}

/**
 * Returns the value that all items of a list are (===); undefined if the items differ or the list
 * is empty.
 */
export function onlyValue<T>(values: readonly T[]): T | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}

/** Returns whether a text contains a letter or a digit. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

const PAIRS = [
  '" "',
  "' '",
  '“ ”',
  '‘ ’',
  '« »',
  '「 」',
  '[ ]',
  '( )',
  '{ }',
  '< >',
  '** **',
  '* *',
  '__ __',
  '_ _',
  '$$ $$',
  '$ $',
  '\\[ \\]',
  '\\( \\)',
  '| |',
].map((pair) => pair.split(' '));

/**
 * Source of a regular expression for one character: a bullet or quotation sign at the beginning of
 * a line.
 */
export const LIST_MARK = '[-*•◦▪‣→>]';

const SIGNS = new RegExp(`^(?:${LIST_MARK} |#{1,6} )+`);

/**
 * Returns a trimmed line without its list mark or heading marks, and without quotes, brackets,
 * emphasis or \boxed{} that enclose all of it.
 */
export function unwrapLine(line: string): string {
  let text = line.replace(SIGNS, '').trim();
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

/** Returns a line as from `unwrapLine`, also without citations and a full stop at its end. */
export function unwrapValue(line: string): string {
  return unwrapLine(
    unwrapLine(withoutLastCitations(line.trim()))
      .replace(/[.。]$/, '')
      .trim(),
  )
    .replace(/[.。]$/, '')
    .trim();
}

/**
 * Pattern of words before a label at the beginning of a line or sentence: "The final", "Here is
 * my".
 */
const LEAD =
  "[^\\p{L}\\p{N}\\n]{0,12}(?:(?:here is|here['’]s) )?(?:(?:the|my) )?(?:(?:final|correct|best|short) )?";
const CLOSED = `["”')\\]*]{0,3} ?`;

/** Maximum number of characters after a label that are compared. */
const SAID = 200;

/**
 * Returns the text after the last label, up to the end of the text. A label begins its line or
 * sentence and has a colon or a dash ("Answer: Bell", "So the answer is: Bell"), or is a heading;
 * "the answer is" within a sentence counts if no such label follows. Returns an empty text if
 * several labels have different texts on their lines, and undefined if no label has any text after
 * it.
 *
 * @param names Words of the label, as alternatives of a regular expression.
 */
export function textAfterLabel(text: string, names: string): string | undefined {
  const label = `(?:${names})${CLOSED}`;
  const again = new RegExp(`^${LEAD}${label}(?::|=|[-–—] |is:|is )\\s*(?=\\S)`, 'iu');
  const placesOf = (pattern: string) =>
    [...text.matchAll(new RegExp(`(?:${pattern})\\s*(?=\\S)`, 'gimu'))].map((match) => {
      const place = match.index + match[0].length;
      return place + (again.exec(text.slice(place, place + SAID))?.[0].length ?? 0);
    });
  const marked = placesOf(
    `^${LEAD}${label}(?::|=|[-–—] |[^\\p{L}\\p{N}\\n]{0,4}\\n)|[.!?;,] ${LEAD}${label}[:=]|(?<![\\p{L}\\p{N}])${label}(?:is:|:\\s*\\n)`,
  );
  const said = placesOf(`(?<![\\p{L}\\p{N}])${label}is (?=\\S)`);
  const places = [...marked, ...said.filter((place) => place > (marked.at(-1) ?? 0))];
  const last = marked.at(-1) ?? said.at(-1);
  const firstWords = (place: number) => {
    const [line = ''] = text.slice(place, place + SAID).split('\n');
    return normalizedWords(withoutLastCitations(line));
  };
  if (last === undefined) return undefined;
  return new Set(places.map(firstWords)).size === 1 ? text.slice(last) : '';
}

/**
 * Returns whether a line consists of a label only, with or without a colon.
 *
 * @param names Words of the label, as alternatives of a regular expression.
 */
export function isLabel(line: string, names: string): boolean {
  return new RegExp(`^${LEAD}(?:${names})(?: is)?[^\\p{L}\\p{N}]*$`, 'iu').test(line);
}

/**
 * Returns whether a line begins with the words of a label, whether or not a colon follows them.
 *
 * @param names Words of the label, as alternatives of a regular expression.
 */
export function startsWithLabel(line: string, names: string): boolean {
  return new RegExp(`^${LEAD}(?:${names})(?![\\p{L}\\p{N}])`, 'iu').test(line);
}

/**
 * Returns the value of an output that is JSON as a whole, or whose only fenced block is; undefined
 * if there is none or the output was cut.
 */
export function jsonOf({ text, cut }: ModelOutput): unknown {
  if (cut) return undefined;
  const fenced = [...text.matchAll(/^ *```(?:json)? *\n(.*?)\n *```/gms)];
  const [, inside] = fenced.length === 1 ? (fenced[0] ?? []) : [];
  return parseJson(inside ?? text);
}

/** Returns whether an output is a JSON object, with any properties. */
export function isJsonObject(output: ModelOutput): boolean {
  return isObject(jsonOf(output));
}

/**
 * Returns the values of an output that is a JSON object with exactly the named properties, in the
 * order of the names; otherwise undefined.
 */
export function jsonMembers(output: ModelOutput, names: readonly string[]): unknown[] | undefined {
  const json = jsonOf(output);
  if (!isObject(json) || Object.keys(json).length !== names.length) return undefined;
  return names.every((name) => Object.hasOwn(json, name))
    ? names.map((name) => json[name])
    : undefined;
}
