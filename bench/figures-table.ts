/** A table of figures in Markdown. Pure. */

/** @param rows The first is the heading; all but the first column are figures. */
export function figuresTable([heading = [], ...rows]: readonly (readonly (
  | string
  | undefined
)[])[]): string {
  const rule = heading.map((_, column) => (column === 0 ? '---' : '---:'));
  return [heading, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
