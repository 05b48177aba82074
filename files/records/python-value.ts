import { exactJson, tryExactJson } from './exact-json.js';

/**
 * Reads a list or a dictionary as Python and NumPy print it, which tables written by pandas have.
 * Pure.
 */

const TOKEN =
  /(\s*)(?:(array\(|list\()|((?:,\s*dtype=[\w'"<>|]+)?\))|([[\]{}:,])|'((?:[^'\\]|\\[\s\S])*)'|"((?:[^"\\]|\\[\s\S])*)"|(-?\d+(?:\.\d*)?(?:e[+-]?\d+)?)|(None|True|False)|(\.\.\.))/y;
const WORDS: Readonly<Record<string, string>> = { None: 'null', True: 'true', False: 'false' };
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([\s\S]))/g;
const ESCAPED: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

/**
 * Returns the array or object that a cell of a table contains, as JSON or as Python or NumPy print
 * it. Returns the cell itself if it contains neither, or if NumPy left out the middle of the list.
 */
export function parseCellValue(cell: string): unknown {
  const text = cell.trim();
  const found = looksWritten(text) ? (tryExactJson(text) ?? pythonValue(text)) : undefined;
  return typeof found === 'object' && found !== null ? found : cell;
}

function looksWritten(text: string): boolean {
  return (text.startsWith('[') && text.endsWith(']')) || /^\{.*:.*\}$/s.test(text);
}

/**
 * Returns whether a text is a list, or a dictionary with lists, of which NumPy printed only the
 * ends: `['a' 'b' ... 'z']`.
 */
export function isShortened(text: string): boolean {
  const list = text.trim();
  return looksWritten(list) && list.includes('...') && (printed(list)?.isShortened ?? false);
}

/**
 * Returns the list or dictionary of which Python's `repr` or NumPy made this text; undefined for
 * anything else, also for a list whose middle was left out.
 */
function pythonValue(text: string): unknown {
  const found = printed(text.trim());
  return found?.isShortened === false ? found.value : undefined;
}

function printed(text: string): { value: unknown; isShortened: boolean } | undefined {
  try {
    const { json, isShortened } = asJson(text);
    return { value: exactJson(json), isShortened };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The bracket around a value: its opening sign, and the separator of its items. */
interface Enclosing {
  opened: string;
  separator?: 'comma' | 'space';
}

/**
 * Returns the text as JSON, with null in place of the items that were left out. Python separates
 * the items of a list by commas, NumPy by spaces; a list that mixes them is refused.
 *
 * @throws SyntaxError, or RangeError for an escape of no character.
 */
function asJson(text: string): { json: string; isShortened: boolean } {
  const parts: string[] = [];
  const around: Enclosing[] = [];
  let isShortened = false;
  let afterValue = false;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const [whole, space, call, end, mark, single, double, number, word, dots] =
      TOKEN.exec(text) ?? [];
    if (whole === undefined) throw new SyntaxError('not what Python prints');
    const closes = end !== undefined || mark === ']' || mark === '}';
    const isBetween = mark === ',' || mark === ':';
    if (!closes && !isBetween && afterValue) {
      separate(around.at(-1), space === '' ? undefined : 'space');
      parts.push(',');
    }
    if (mark === ',') separate(around.at(-1), 'comma');
    if (call ?? (mark === '[' || mark === '{')) around.push({ opened: call ?? mark ?? '' });
    if (closes && (around.pop()?.opened.endsWith('(') ?? true) !== (end !== undefined)) {
      throw new SyntaxError('a bracket that does not close what is open');
    }
    if (dots !== undefined) isShortened = true;
    const quoted = single ?? double;
    if (call === undefined && end === undefined) {
      parts.push(
        mark ??
          number?.replace(/\.(?!\d)/, '') ??
          WORDS[word ?? (dots && 'None') ?? ''] ??
          JSON.stringify(unescaped(quoted ?? '')),
      );
    }
    afterValue = closes || !(isBetween || call !== undefined || mark === '[' || mark === '{');
  }
  return { json: parts.join(' '), isShortened: isShortened && parts.length > 3 };
}

/**
 * Records the separator before a value.
 *
 * @throws SyntaxError if there is none, or another one than before the previous value.
 */
function separate(enclosing: Enclosing | undefined, separator: Enclosing['separator']): void {
  const isList = enclosing?.opened === '[';
  if (!enclosing || !separator || (separator === 'space' && !isList)) {
    throw new SyntaxError('two values without anything between them');
  }
  enclosing.separator ??= separator;
  if (enclosing.separator !== separator) throw new SyntaxError('two kinds of separators');
}

function unescaped(quoted: string): string {
  return quoted.replace(ESCAPE, (_, x?: string, u?: string, long?: string, one = '') => {
    const code = x ?? u ?? long;
    const character =
      code === undefined ? ESCAPED[one] : String.fromCodePoint(Number.parseInt(code, 16));
    if (character === undefined) throw new SyntaxError('an escape that Python does not print');
    return character;
  });
}
