/**
 * Returns a text as one line of at most `longest` UTF-16 units, with "…" at its end if it was cut.
 * No character is cut in half. Pure.
 */
export function shortened(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= longest) return line;
  return `${line.slice(0, longest - 1).replace(/[\s\uD800-\uDBFF]+$/, '')}…`;
}
