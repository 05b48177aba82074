/** A reply without the decoration around it. Pure. */

const FENCE_LINE = /^[ >]*(?:```|~~~)[\w+-]{0,20} ?$/gm;
/** "```json [1]```" on one line. */
const INLINE_FENCE = /```(?:(?:json|text|txt|plaintext|markdown|md|yaml)(?=[\s[{"]))?/g;
/** ">0.7" is no block quote. */
const QUOTE_OR_HEADING = /^ ?(?:>(?! ?\.?\d) ?|> ){0,8}(?:#{1,6} )?/gm;
/** Emphasis by one mark, not the stars of "M*A*S*H" nor the sign of a bullet. */
const EMPHASIS = /(?<![\p{L}\p{N}*_])[*_](?=[^\s*_])|(?<=[^\s*_])[*_](?![\p{L}\p{N}*_])/gu;

/** ``Quotes'' as TeX and old corpora write them; models copy them from passages. */
const TEX_QUOTES = /``([^`\n]{1,300}?)''/g;

/** "<answer>Paris</answer>" says what "Answer: Paris" does. */
const LABEL_TAG = / ?<(?:final[_ ]?)?(answer|score|rating|verdict|choice)>/gi;
/** Around a part of a reply, and what ends a turn of a chat. */
const TAG =
  /<\/(?:final[_ ]?)?(?:answer|score|rating|verdict|choice)>|<\/?(?:response|output|result|summary|query|question)>|<\|[\w ]{1,30}\|>|<\/?s>/gi;
/** `\text{Paris}` in `\boxed{\text{Paris}}`; the box is a bracket. */
const TEX_TEXT = /\\(?:text|textbf|textit|mathrm|mathbf|mbox) ?\{([^{}\n]{0,300})\}/g;
const TEX_BOX = /(?:\$|\\[[(] ?)?\\boxed ?\{([^{}\n]{0,300})\}(?: ?\\[\])]|\$)?/g;
const ESCAPED = /\\([[\]()*_#>.-])/g;
/** Full-width letters, digits and marks of a form; not those that only end a sentence. */
const FULL_WIDTH = /[０-９Ａ-Ｚａ-ｚ（）［］：＞＜＝＃％．]/g;

/** As it would be typed on a keyboard with Latin letters. */
function latinMarks(text: string): string {
  return text
    .replace(FULL_WIDTH, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xfee0))
    .replace(/【/g, '[')
    .replace(/】/g, ']')
    .replace(/^( ?\d{1,2})(?:、|\.(?=["“]?\p{Lu}\p{L}))/gmu, '$1. ');
}

function withoutTex(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(TEX_TEXT, '$1').replace(TEX_BOX, '[$1]').replace(ESCAPED, '$1');
}

/**
 * The text without code fences, bold and code marks, headings, block quotes, tags of a reply and
 * TeX, with Latin marks for full-width ones, and with runs of spaces made one, so that no reader
 * meets a long run of them.
 */
export function plainText(text: string): string {
  const untagged = singleSpaced(text).replace(LABEL_TAG, '\n$1: ').replace(TAG, '');
  return withoutTex(latinMarks(untagged))
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

/** The member of a JSON object that is the reply, where others give reasons. */
const REPLY =
  /^(?:(?:final|short|correct)[_ ]?)?(?:answer|verdict|score|rating|choice|valid|supported)$/i;

/** Of a JSON object its one value, or what it calls the answer: `{"answer": "Paris"}`. */
function jsonValue(text: string): string | undefined {
  if (!/^\{\s?"/.test(text) || !text.endsWith('}')) return undefined;
  try {
    const members = Object.entries(JSON.parse(text) as object);
    const [, value] = members.find(([name]) => members.length === 1 || REPLY.test(name)) ?? [];
    if (value === null) return '';
    return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
  } catch {
    return undefined;
  }
}

/** `plainText` without the quotes around the whole either, and of a JSON object its one value. */
export function bareText(text: string): string {
  let bare = plainText(text);
  // A handful of layers is all that models write.
  for (let layer = 0; layer < 4; layer++) {
    const inner = jsonValue(bare) ?? quoted(bare);
    if (inner === undefined) break;
    bare = plainText(inner);
  }
  return bare;
}

function quoted(text: string): string | undefined {
  const around = PAIRS.some(
    ([open = '', close = '']) =>
      text.length > 1 &&
      text.startsWith(open) &&
      text.endsWith(close) &&
      !text.slice(1, -1).includes(close),
  );
  // Of JSON in quotes the quotes are not the only ones.
  const json = /^"\{.*\}"$/s.test(text);
  return around || json ? text.slice(1, -1) : undefined;
}

/** "- ", "1. ", "2) ", "(3) ", "(a) ", "b) ": what marks an item of a list. */
const ITEM_MARK = /^ ?(?:[-*•–·+] |\(?\d{1,3}[.)] |\(\d{1,3}\) |\(?[a-z]\) )/i;

/** A line without the sign, number or letter that makes it an item of a list. */
export function withoutItemMark(line: string): string {
  return line.replace(ITEM_MARK, '');
}

/** The mark of a list of one; "1. FC" and "1. Liga" are names. */
export const LONE_NUMBER = /^\(?1[.)] (?!(?:FC|FSV|SC|SV|VfL|Liga|Bundesliga)(?!\p{L}))/u;
