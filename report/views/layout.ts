/** Lays out text in a terminal of 80 columns. Pure. */
import { printable } from './printable.js';

/** Width, in columns, of the terminal that texts are laid out for. */
export const WIDTH = 80;
const CUT = ' ...';

/**
 * Returns a text, made printable, as lines of at most 80 columns, broken between words. A longer
 * word is not broken.
 *
 * @param indent Text put before each line.
 * @param most Maximum number of lines to return. If the text has more, the last one ends in " ...".
 */
export function wrap(text: string, indent = '', most = Number.POSITIVE_INFINITY): string[] {
  const lines: string[] = [];
  for (const word of printable(text).trim().split(/\s+/)) {
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

/** Returns a line cut to `width` columns. A cut line ends in " ...", if the width allows. */
export function clip(line: string, width = WIDTH): string {
  if (line.length <= width) return line;
  return width > CUT.length ? cut(line, width) : line.slice(0, width);
}

/** Returns a line with words removed, ending in " ...". */
function cut(line: string, width: number): string {
  const room = width - CUT.length;
  const kept = line.length <= room ? line : line.slice(0, room + 1).replace(/(\S)\s+\S*$/, '$1');
  return kept.slice(0, room) + CUT;
}
