import { jsonIn } from '../../core/canonical-json.js';

/** Reads a list or a dictionary as Python prints it, which tables written by pandas have. Pure. */

const TOKEN =
  /\s*(?:([[\]{}:,])|'((?:[^'\\]|\\[\s\S])*)'|"((?:[^"\\]|\\[\s\S])*)"|(-?\d+(?:\.\d+)?)|(None|True|False))/y;
const WORDS: Readonly<Record<string, string>> = { None: 'null', True: 'true', False: 'false' };
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([\s\S]))/g;
const ESCAPED: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r' },
  ...{ '\\': '\\', "'": "'", '"': '"' },
};

/** The list or object that a cell holds, written by JSON or by Python; the cell where it holds none. */
export function writtenValue(cell: string): unknown {
  const text = cell.trim();
  const isWritten = (text.startsWith('[') && text.endsWith(']')) || /^\{.*:.*\}$/s.test(text);
  const found = isWritten ? (jsonIn(text) ?? pythonValue(text)) : undefined;
  return typeof found === 'object' && found !== null ? found : cell;
}

/**
 * The list or dictionary that Python's `repr` made this text of; undefined for anything else, also
 * for an array as NumPy prints it, which has no commas and leaves out its middle.
 */
export function pythonValue(text: string): unknown {
  try {
    return JSON.parse(asJson(text.trim()));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** @throws SyntaxError, or a RangeError for a character that there is not. */
function asJson(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const [whole, mark, single, double, number, word] = TOKEN.exec(text) ?? [];
    if (whole === undefined) throw new SyntaxError('not what Python prints');
    const quoted = single ?? double;
    parts.push(mark ?? number ?? WORDS[word ?? ''] ?? JSON.stringify(unescaped(quoted ?? '')));
  }
  return parts.join(' ');
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
