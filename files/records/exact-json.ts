/** Parses JSON without losing digits: an integer beyond 2^53 becomes a text. Pure. */
import {
  Tokenizer,
  type TokenizerOptions,
  TokenParser,
  type TokenParserOptions,
} from '@streamparser/json';

/**
 * Returns the number that a JSON number represents; for an integer of 2^53 or more in absolute
 * value, which a number may not represent exactly, returns the source text.
 */
export function exactNumber(source: string): number | string {
  const value = Number(source);
  return /^-?\d+$/.test(source) && !Number.isSafeInteger(value) ? source : value;
}

class ExactTokenizer extends Tokenizer {
  protected override parseNumber(source: string): number {
    // Values are returned unchanged; only the declared type is that of a number.
    return exactNumber(source) as number;
  }
}

/**
 * Returns a streaming JSON parser in which integers of 2^53 or more become strings: functions that
 * take a chunk (`write`), end the text (`end`), and return the byte offset of the last token
 * (`offset`).
 *
 * @param options Options of `JSONParser` of @streamparser/json.
 * @param onValue Called with each value at the configured paths.
 */
export function exactParser(
  options: TokenParserOptions & TokenizerOptions,
  onValue: TokenParser['onValue'],
) {
  const tokenizer = new ExactTokenizer(options);
  const values = new TokenParser(options);
  let offset = 0;
  tokenizer.onToken = (token) => {
    offset = token.offset;
    values.write(token);
  };
  tokenizer.onEnd = () => values.isEnded || values.end();
  values.onError = tokenizer.error.bind(tokenizer);
  values.onEnd = () => tokenizer.isEnded || tokenizer.end();
  values.onValue = onValue;
  return {
    write: (chunk: string | Uint8Array) => tokenizer.write(chunk),
    end: () => tokenizer.isEnded || tokenizer.end(),
    /** Returns the byte offset of the last token. */
    offset: () => offset,
  };
}

/** A string, or NaN or Infinity where JSON has a value. */
const STRING_OR_NAN = /"(?:[^"\\]|\\.)*"|(?:^|[:,[])\s*-?(?:NaN|Infinity)\s*(?=[,}\]]|$)/g;

/**
 * Returns a clause for the error message about invalid JSON, if the text contains NaN or Infinity;
 * '' otherwise.
 *
 * @param text The whole text, or the text from the last token that could be read.
 */
export function invalidJsonHint(text: string): string {
  const hasNaN = text.match(STRING_OR_NAN)?.some((found) => !found.startsWith('"'));
  return hasNaN
    ? ": it contains NaN or Infinity, which Python writes but JSON does not allow; replace it with null (sed 's/: NaN/: null/g' FILE > NEW)"
    : '';
}

/**
 * Returns the value of a JSON text, with integers of 2^53 or more as strings; undefined if the
 * text is invalid.
 */
export function tryExactJson(text: string): unknown {
  try {
    return exactJson(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the value of a JSON text, with integers of 2^53 or more as strings.
 *
 * @throws SyntaxError if it is invalid.
 */
export function exactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!/\d{16}/.test(text)) return value;
  let exact: unknown;
  const parser = exactParser({ paths: ['$'], keepStack: false }, (found) => {
    exact = found.value;
  });
  parser.write(text);
  parser.end();
  return exact;
}
