/** Splits an answer that is a list into its items. Pure. */
import { citationNumbers, withoutCitations, withUniformCitations } from '../../core/citations.js';

/** Pattern of a bullet or a number before an item. A letter needs a bracket, because of "J. Smith". */
const MARK = /^(?:(?:[-*•·‣–—]|\(?\d{1,3}[.)]|\(?[a-z]\))\s+|\(?\d{1,3}[.)](?=\p{L}))/u;
const NUMBERED_IN_LINE = /(?:^|\s)\d{1,3}[.)]\s+/u;
/** Pattern of a comma between items, but not within "10,000". */
const COMMA = /(?<!\d),|,(?!\d{3}(?!\d))/;
const SEPARATOR = new RegExp(String.raw`(?:${COMMA.source}|;)\s*\S| • `);
/**
 * Pattern of words that introduce a list within its line. It depends on letter case, to exclude titles.
 */
const LEAD_IN =
  /^(?:\p{Lu}[^,;:]{0,200}\b(?:are|is|were|was|includes?|included|following|follows)(?: [a-z\d][^,;:]{0,200})?|(?:The )?(?:[Ff]inal )?[Aa]nswers?(?: is| are)?)\s?:\s+(?=\S)/u;
/** Pattern of a line that introduces a list: a colon at its end, or certain words. */
const LEAD_IN_LINE =
  /:$|^(?:(?:Sure|Certainly)[!.]|(?:Here|Below) (?:is|are) |These are |The following )[^,;]*$/;

/** Maximum number of words of an item that is marked only by its line. */
const LONGEST_ITEM = 10;

/**
 * Returns the items of a list, in order, with their citations as [1][2]. A list of several lines
 * has one item a line, a table one item a row. Otherwise the first line is the list, as in ALCE,
 * with commas, semicolons, bullets or numbers between the items, and later lines are ignored. Words
 * that introduce the list and the "and" before its last item are left out.
 *
 * @example listItems('Rivers:\n- Nile [1]\n- Congo [2, 3]') // ['Nile [1]', 'Congo [2][3]']
 */
export function listItems(output: string): string[] {
  const lines = withUniformCitations(output)
    .replace(/[、，]\s*/g, ', ')
    .replace(/；\s*/g, '; ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^`{3}\w*$/.test(line));
  const rows = tableItems(lines);
  if (rows) return rows;
  while (lines.length > 1 && LEAD_IN_LINE.test(lines[0] ?? '')) lines.shift();
  const [first = '', ...others] = lines;
  const list = [first.replace(LEAD_IN, ''), ...others];
  return withCitationsJoined(
    markedItems(list) ?? citedItems(list) ?? unmarkedItems(list) ?? itemsInLine(list[0] ?? ''),
  );
}

/** Pattern of the line between the header of a table and its rows. */
const RULE = /^\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?$/;

/**
 * Returns the first cell of each table row that is not a number, with all citations of the row;
 * undefined if there is no table.
 */
function tableItems(lines: readonly string[]): string[] | undefined {
  const rule = lines.findIndex(
    (line, i) => i > 0 && RULE.test(line) && lines[i - 1]?.includes('|'),
  );
  if (rule === -1) return undefined;
  const rows = lines.slice(rule + 1);
  const end = rows.findIndex((line) => !line.includes('|'));
  return rows.slice(0, end === -1 ? rows.length : end).map((row) => {
    const cells = row.split('|').map((cell) => withoutCitations(cell).trim());
    const item = cells.find((cell) => /\p{L}/u.test(cell)) ?? cells.find((cell) => cell !== '');
    const cited = citationNumbers(row).map((number) => `[${number}]`);
    return `${item ?? ''} ${cited.join('')}`.trim();
  });
}

/**
 * Joins items that are only citations to the item before, as in "Nile [1], [2]", and drops the
 * "and" before the last item.
 */
function withCitationsJoined(items: readonly string[]): string[] {
  const whole: string[] = [];
  for (const item of items) {
    const before = whole.at(-1);
    if (before !== undefined && item !== '' && withoutCitations(item) === '') {
      whole[whole.length - 1] = `${before}${item}`;
    } else whole.push(item);
  }
  const last = whole.length > 1 ? whole.pop() : undefined;
  return last === undefined ? whole : [...whole, last.replace(/^(?:and|or|&)\s+(?=[^\s[])/, '')];
}

/**
 * Returns the lines with bullets or numbers, if there are two or more; undefined if the line before
 * them is the list.
 */
function markedItems(lines: readonly string[]): string[] | undefined {
  const marked = lines.filter((line) => MARK.test(line)).map((line) => line.replace(MARK, ''));
  if (marked.length < 2) return undefined;
  const [first = ''] = lines;
  const isTheList = !MARK.test(first) && hasSeparator(first);
  return isTheList && !marked.every((item) => isShort(item, first)) ? undefined : marked.map(tidy);
}

/**
 * Returns two or more lines that all begin with their citation: "[1] Paris, France"; else
 * undefined.
 */
function citedItems(lines: readonly string[]): string[] | undefined {
  const areCited = lines.length > 1 && lines.every((line) => /^(?:\[\d+\])+\s?[^\s.]/.test(line));
  return areCited ? lines.map(tidy) : undefined;
}

/**
 * Returns the first lines that are short enough for items; undefined if there are fewer than two,
 * or if the first line contains several items.
 */
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
  return SEPARATOR.test(withoutCitations(line)) || isNumbered(line);
}

/** Returns whether a line is short enough for an item, and ends with a full stop only if the first one does. */
function isShort(line: string, first: string): boolean {
  const plain = withoutCitations(line);
  if (plain.split(/\s+/).length > LONGEST_ITEM || plain.endsWith(':')) return false;
  return !plain.endsWith('.') || withoutCitations(first).endsWith('.');
}

/**
 * Returns the items of a list in one line.
 *
 * Source, for commas: princeton-nlp/ALCE, eval.py (`compute_qampari_f1`, `compute_autoais`).
 */
function itemsInLine(line: string): string[] {
  if (isNumbered(line)) {
    return line
      .split(NUMBERED_IN_LINE)
      .filter((item) => item.trim() !== '')
      .map(tidy);
  }
  const plain = line.replace(MARK, '').trimEnd();
  if (/ • /.test(plain)) return plain.split(' • ').map(tidy);
  if (hasSemicolonsBetween(plain)) {
    return plain
      .replace(/[.;。]+$/, '')
      .split(';')
      .map(tidy);
  }
  const items = plain
    .replace(/[.。]+$/, '')
    .replace(/,+$/, '')
    .split(COMMA)
    .map((item) => item.trim());
  // "(a) Nile, (b) Congo"
  return MARK.test(line) ? items.map((item) => item.replace(MARK, '')) : items;
}

/** Returns whether semicolons separate items: in "Paris, France; Rome, Italy", not in "Nile, Congo, Rhine; others". */
function hasSemicolonsBetween(line: string): boolean {
  const parts = line.split(';').filter((part) => withoutCitations(part) !== '');
  const commas = parts.map((part) => part.split(',').length - 1);
  const all = commas.reduce((sum, count) => sum + count, 0);
  return parts.length > 1 && (all < parts.length || commas.every((count) => count === 1));
}

/** Returns whether a line is a numbered list, such as "1. Nile 2. Congo". */
function isNumbered(line: string): boolean {
  return /^1[.)]\s/.test(line) && /\s2[.)]\s/.test(line);
}

function tidy(item: string): string {
  return item.trim().replace(/[,;]+$/, '');
}
