/** Makes texts of models, corpora and providers safe for a terminal. Pure. */

/**
 * Pattern of control characters, in 7 and in 8 bits, except line feed and tab; and of marks that
 * turn the direction of the text after them.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds these characters
const UNPRINTABLE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;
/** Pattern of the colours and weights that picocolors writes, which neither move nor hide text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
const COLOURS = /(\x1b\[(?:0|1|2|22|3[1-69]|9[0-7])m)/;
/**
 * First code point of the pictures of control characters, such as U+241B for Escape; others become
 * U+FFFD.
 */
const PICTURES = 0x2400;

/**
 * Returns a text with a visible character in place of each control character, which a terminal
 * would execute, and of each mark that turns the direction of text. Line feeds and tabs stay;
 * Windows line ends become line feeds.
 */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNPRINTABLE, (found) => {
    const code = found.charCodeAt(0);
    if (code === 0x7f) return '\u2421';
    return code < 0x20 ? String.fromCharCode(PICTURES + code) : '\ufffd';
  });
}

/** Returns a text as `printable` does, but keeps the colours that picocolors writes. */
export function printableInColours(text: string): string {
  const parts = text.split(COLOURS);
  // Every other part matched the pattern.
  return parts.map((part, i) => (i % 2 === 1 ? part : printable(part))).join('');
}

/**
 * Returns a JSON text with the control characters that a terminal would execute, and marks that
 * turn the direction of text, escaped; its value is the same.
 */
export function printableJson(json: string): string {
  return json.replace(UNPRINTABLE, (found) =>
    found.charCodeAt(0) < 0x20 ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
