/** A reply without the decoration around it. Pure. */

const FENCE_LINE = /^[ >]*(?:```|~~~)[\w+-]{0,20} ?$/gm;
/** "```json [1]```" on one line. */
const INLINE_FENCE = /```(?:(?:json|text|txt|plaintext|markdown|md|yaml)(?=[\s[{"]))?/g;
const QUOTE_OR_HEADING = /^ ?(?:> ?){0,8}(?:#{1,6} )?/gm;
/** Emphasis by one mark, not the stars of "M*A*S*H" nor the sign of a bullet. */
const EMPHASIS = /(?<![\p{L}\p{N}*_])[*_](?=[^\s*_])|(?<=[^\s*_])[*_](?![\p{L}\p{N}*_])/gu;

/** ``Quotes'' as TeX and old corpora write them; models copy them from passages. */
const TEX_QUOTES = /``([^`\n]{1,300}?)''/g;

/**
 * The text without code fences, bold and code marks, headings and block quotes, and with runs of
 * spaces made one, so that no reader meets a long run of them.
 */
export function plainText(text: string): string {
  return singleSpaced(text)
    .replace(FENCE_LINE, '')
    .replace(INLINE_FENCE, '')
    .replace(TEX_QUOTES, '"$1"')
    .replace(QUOTE_OR_HEADING, '')
    .replace(/\*{2,}|_{2,}|`/g, '')
    .replace(EMPHASIS, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function singleSpaced(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[\u200b\ufeff]/g, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n');
}

const PAIRS = ['""', "''", '“”', '‘’', '«»', '「」'];

/** `{"answer": "Paris"}`, `{"rating": 8}` */
const JSON_VALUE = /^\{\s?"[^"\n]{1,40}": ?(?:"([^"\n]{0,400})"|(\d[\d.]{0,8}|true|false))\s?\}$/;

/** `plainText` without the quotes around the whole either, and of a JSON object its one value. */
export function bareText(text: string): string {
  let bare = plainText(text);
  const json = JSON_VALUE.exec(bare);
  if (json) bare = plainText(json[1] ?? json[2] ?? '');
  // A handful of layers is all that models write.
  for (let layer = 0; layer < 4; layer++) {
    const quoted = PAIRS.some(
      ([open = '', close = '']) =>
        bare.length > 1 &&
        bare.startsWith(open) &&
        bare.endsWith(close) &&
        !bare.slice(1, -1).includes(close),
    );
    if (!quoted) break;
    bare = plainText(bare.slice(1, -1));
  }
  return bare;
}

/** "- ", "1. ", "2) ", "(3) ", "(a) ", "b) ": what marks an item of a list. */
const ITEM_MARK = /^ ?(?:[-*•–·+] |\(?\d{1,3}[.)] |\(\d{1,3}\) |\(?[a-z]\) )/i;

/** A line without the sign, number or letter that makes it an item of a list. */
export function withoutItemMark(line: string): string {
  return line.replace(ITEM_MARK, '');
}

/** The mark of a list of one; "1. FC" and "1. Liga" are names. */
export const LONE_NUMBER = /^\(?1[.)] (?!(?:FC|FSV|SC|SV|VfL|Liga|Bundesliga)(?!\p{L}))/u;
