/** Cuts an answer that is a list into its items, in whichever way it is written. Pure. */
import { spelledCitations, withoutCitations } from '../../methods/citations.js';

/** A bullet or a number before an item; a letter only with a bracket, since "J. Smith" has one too. */
const MARK = /^(?:[-*•·‣–—]|\(?\d{1,3}[.)]|\(?[a-z]\))\s+/u;
const NUMBERED_IN_LINE = /(?:^|\s)\d{1,3}[.)]\s+/u;

/** Words of an item at most, where nothing but its line says that it is one. */
const LONGEST_ITEM = 10;

/**
 * The items of a list, with their citations, in the form [1][2]. A list over several lines has a
 * line an item; else the first line is the list, as in ALCE, with commas, semicolons or numbers
 * between the items, and what follows is other text.
 *
 * @example listItems('Rivers:\n- Nile [1]\n- Congo [2, 3]') // ['Nile [1]', 'Congo [2][3]']
 */
export function listItems(output: string): string[] {
  const lines = spelledCitations(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  while (lines.length > 1 && isLeadIn(lines[0] ?? '')) lines.shift();
  const [first = ''] = lines;
  return markedItems(lines) ?? unmarkedItems(lines) ?? itemsInLine(first);
}

function isLeadIn(line: string): boolean {
  return line.endsWith(':');
}

/** Two lines or more with bullets or numbers, unless the line before them is the list. */
function markedItems(lines: readonly string[]): string[] | undefined {
  const marked = lines.filter((line) => MARK.test(line)).map((line) => line.replace(MARK, ''));
  if (marked.length < 2) return undefined;
  const [first = ''] = lines;
  const isTheList = !MARK.test(first) && hasSeparator(first);
  return isTheList && !marked.every((item) => isShort(item, first)) ? undefined : marked.map(tidy);
}

/** Lines short enough for items, from the first on, as far as none of them holds several. */
function unmarkedItems(lines: readonly string[]): string[] | undefined {
  const joined = lines
    .join('\n')
    .replace(/([,;](?:\s*\[\d+\])*)\n/g, '$1 ')
    .split('\n');
  const [first = ''] = joined;
  if (hasSeparator(first)) return joined.length < lines.length ? itemsInLine(first) : undefined;
  const other = joined.findIndex((line) => !isShort(line, first));
  const items = other === -1 ? joined : joined.slice(0, other);
  return items.length < 2 ? undefined : items.map(tidy);
}

function hasSeparator(line: string): boolean {
  return /[,;]\s*\S/.test(withoutCitations(line)) || isNumbered(line);
}

/** No sentence, and no more than the first item has a full stop. */
function isShort(line: string, first: string): boolean {
  const plain = withoutCitations(line);
  if (plain.split(/\s+/).length > LONGEST_ITEM || plain.endsWith(':')) return false;
  return !plain.endsWith('.') || withoutCitations(first).endsWith('.');
}

/** Source, of commas: princeton-nlp/ALCE, eval.py (`compute_qampari_f1`, `compute_autoais`). */
function itemsInLine(line: string): string[] {
  if (isNumbered(line)) {
    return line
      .split(NUMBERED_IN_LINE)
      .filter((item) => item.trim() !== '')
      .map(tidy);
  }
  const plain = line.replace(MARK, '').trimEnd();
  if (hasSemicolonsBetween(plain)) {
    return plain
      .replace(/[.;]+$/, '')
      .split(';')
      .map(tidy);
  }
  return plain
    .replace(/\.+$/, '')
    .replace(/,+$/, '')
    .split(',')
    .map((item) => item.trim());
}

/** "Paris, France; Rome, Italy" holds two places; "Nile, Congo, Rhine; others" is cut at commas. */
function hasSemicolonsBetween(line: string): boolean {
  const parts = line.split(';').filter((part) => withoutCitations(part) !== '');
  const commas = parts.map((part) => part.split(',').length - 1);
  const all = commas.reduce((sum, count) => sum + count, 0);
  return parts.length > 1 && (all < parts.length || commas.every((count) => count === 1));
}

/** "1. Nile 2. Congo" */
function isNumbered(line: string): boolean {
  return /^1[.)]\s/.test(line) && /\s2[.)]\s/.test(line);
}

function tidy(item: string): string {
  return item.trim().replace(/[,;]+$/, '');
}
