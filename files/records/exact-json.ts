/** Reads JSON without losing digits: a whole number that no double holds stays the text it was. Pure. */
import {
  Tokenizer,
  type TokenizerOptions,
  TokenParser,
  type TokenParserOptions,
} from '@streamparser/json';

/** Returns a number, or its text if its value would change: a whole number beyond 2^53. */
export function exactNumber(source: string): number | string {
  const value = Number(source);
  return /^-?\d+$/.test(source) && !Number.isSafeInteger(value) ? source : value;
}

class ExactTokenizer extends Tokenizer {
  protected override parseNumber(source: string): number {
    // Values are handed on as they are: only the type says that a number is one.
    return exactNumber(source) as number;
  }
}

/** Returns a streaming parser as `JSONParser`, for numbers of any length. */
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
    /** Returns where the last token began, in bytes. */
    offset: () => offset,
  };
}

/** Says more of what is no JSON, by what was thrown for it; '' if there is nothing to say. */
export function notJson(error: unknown): string {
  const isNumber = /Unexpected (?:token )?['"]?[NI]/.test(String(error));
  return isNumber
    ? ": it has NaN or Infinity, which Python writes and JSON does not know; put null in its place (sed 's/: NaN/: null/g' FILE > NEW)"
    : '';
}

/** Returns what a JSON text says; undefined if it is none. */
export function exactJsonIn(text: string): unknown {
  try {
    return exactJson(text);
  } catch {
    return undefined;
  }
}

/** Returns what a JSON text says. @throws SyntaxError for what is none. */
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
