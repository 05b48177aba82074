/** How text is laid out in a terminal of 80 columns. Pure. */
import pc from 'picocolors';
import type { PassageRef } from '../../../methods/vocabulary.js';

export const WIDTH = 80;
const CUT = ' ...';

/**
 * Text in lines of at most 80 columns, broken between words; a longer word stands whole.
 *
 * @param most lines; where there are more, the last one says so.
 */
export function wrap(text: string, indent = '', most = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = [];
  for (const word of text.trim().split(/\s+/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= WIDTH) {
      lines[lines.length - 1] = `${line} ${word}`;
    } else {
      lines.push(indent + word);
    }
  }
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), cut(lines[most - 1] ?? '', WIDTH)];
}

/** The same behind a number: "  1. Who ..." */
export function numbered(i: number, text: string, most: number): string[] {
  const number = `${String(i + 1).padStart(3)}. `;
  const [first = '', ...rest] = wrap(text, ' '.repeat(number.length), most);
  return [number + first.trimStart(), ...rest];
}

/** One line that fits. */
export function clip(line: string, width = WIDTH): string {
  return line.length <= width ? line : cut(line, width);
}

/** Without the words that leave no room to say that some are missing. */
function cut(line: string, width: number): string {
  const room = width - CUT.length;
  const kept = line.length <= room ? line : line.slice(0, room + 1).replace(/(\S)\s+\S*$/, '$1');
  return kept.slice(0, room) + CUT;
}

/** Lines under a heading, with a blank one after them; nothing where there are none. */
export function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [pc.bold(heading), ...lines, ''];
}

/** A text of its own under a heading; nothing where there is none. */
export function textSection(heading: string, text: string | null | undefined): string[] {
  return section(heading, text ? wrap(text, '    ', 12) : []);
}

/** The passages of a question in one paragraph, numbered as they stand. */
export function passageList(heading: string, passages: readonly PassageRef[]): string[] {
  const titles = passages.map(({ id, title }, i) => `${i + 1}. ${title || id}`);
  return section(
    `${heading} (${passages.length})`,
    titles.length === 0 ? [] : wrap(titles.join('; '), '    ', 6),
  );
}

/** The title of a passage by its id, and the id where it has none. */
export function titlesOf(passages: readonly PassageRef[]): (id: string) => string {
  const titles = new Map(passages.map(({ id, title }) => [id, title]));
  return (id) => titles.get(id) || id;
}

/** "1 passage", "3 passages" */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** Marks what was taken. */
export function mark(taken: boolean): string {
  return taken ? pc.green('*') : ' ';
}
