/** Parses JSON without losing digits: an integer beyond 2^53 becomes a text. Pure. */
import {
  Tokenizer,
  type TokenizerOptions,
  TokenParser,
  type TokenParserOptions,
} from '@streamparser/json';

/** Parses a number; returns its text if it is an integer beyond 2^53, whose value would change. */
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
 * Returns a streaming JSON parser like `JSONParser` of @streamparser/json, in which integers beyond
 * 2^53 become texts.
 *
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
 * Returns a hint for the error message about invalid JSON, such as that it contains NaN; '' if
 * there is none.
 *
 * @param text The whole text, or the text from the last token that could be read.
 */
export function invalidJsonHint(text: string): string {
  const hasNaN = text.match(STRING_OR_NAN)?.some((found) => !found.startsWith('"'));
  return hasNaN
    ? ": it has NaN or Infinity, which Python writes and JSON does not know; put null in its place (sed 's/: NaN/: null/g' FILE > NEW)"
    : '';
}

/** Parses a JSON text like `exactJson`; returns undefined if it is invalid. */
export function tryExactJson(text: string): unknown {
  try {
    return exactJson(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses a JSON text, in which integers beyond 2^53 become texts. @throws SyntaxError if it is
 * invalid.
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
