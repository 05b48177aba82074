/** Returns a text as one line of limited length, without cutting a character in half. Pure. */
export function shortened(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= longest) return line;
  return `${line.slice(0, longest - 1).replace(/[\s\uD800-\uDBFF]+$/, '')}…`;
}
