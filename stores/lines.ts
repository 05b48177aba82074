import { Failure } from '../core/failure.js';

/** A line of a file: its bytes, not yet decoded, and its number. */
export interface Line {
  /** The line, without its line end. */
  bytes: Buffer;
  /** Line number from 1, counting blank lines. */
  number: number;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/**
 * Maximum length of a line, in bytes, so that a file without line ends does not fill the memory.
 */
const LONGEST = 64 * 1024 * 1024;

/**
 * Splits bytes into lines, and yields those that are not blank, as bytes with their numbers. Only a
 * line feed ends a line (Node's readline also splits at U+2028, which JSON allows inside a string).
 * Removes a carriage return before it, a byte order mark at the start, and spaces and tabs at both
 * ends.
 *
 * @param source Name of the file for errors.
 * @param keepsSpace Whether spaces and tabs at both ends are kept; then only an empty line is
 * blank.
 * @throws Failure BadInput with the number of a line over 64 MB.
 */
export async function* splitLines(
  chunks: AsyncIterable<Buffer>,
  source: string,
  { keepsSpace = false } = {},
): AsyncGenerator<Line> {
  const trim = keepsSpace ? withoutEnd : withoutSpace;
  let number = 0;
  let rest: Buffer[] = [];
  let held = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const piece = chunk.subarray(start, end);
      number++;
      const whole = rest.length === 0 ? piece : Buffer.concat([...rest, piece]);
      const bytes = trim(withoutMark(whole, number));
      if (bytes.length > 0) yield { bytes, number };
      rest = [];
      held = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    rest.push(chunk.subarray(start));
    held += chunk.length - start;
    if (held > LONGEST) {
      throw new Failure(
        'BadInput',
        `${source}, line ${number + 1}, is longer than 64 MB: write each record on a line of its own.`,
      );
    }
  }
  const last = trim(withoutMark(Buffer.concat(rest), number + 1));
  if (last.length > 0) yield { bytes: last, number: number + 1 };
}

function withoutMark(line: Buffer, number: number): Buffer {
  const marked = number === 1 && line.subarray(0, 3).equals(BYTE_ORDER_MARK);
  return marked ? line.subarray(3) : line;
}

function withoutEnd(line: Buffer): Buffer {
  return line.at(-1) === RETURN ? line.subarray(0, -1) : line;
}

function withoutSpace(line: Buffer): Buffer {
  let start = 0;
  let end = line.length;
  while (start < end && isSpace(line[start])) start++;
  while (end > start && isSpace(line[end - 1])) end--;
  return line.subarray(start, end);
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === RETURN;
}
