/** Maximum number of bytes of a summary's JSON; Temporal may refuse a longer one. */
const MOST = 200;

const utf8 = new TextEncoder();

/**
 * Returns a text on one line for a summary in the Temporal UI. If it has more than 200 bytes as
 * JSON, it is cut after a whole character and ends in "...".
 */
export function summaryLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (bytesOf(line) <= MOST) return line;
  let [kept, bytes] = ['', bytesOf('...')];
  for (const character of line) {
    bytes += bytesOf(character);
    if (bytes > MOST) break;
    kept += character;
  }
  return `${kept.trimEnd()}...`;
}

/** Returns the length of a text as JSON, without its quotes. */
function bytesOf(text: string): number {
  return utf8.encode(JSON.stringify(text)).length - 2;
}
