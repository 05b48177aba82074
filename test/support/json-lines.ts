/** Reads the values of JSON Lines. */
// biome-ignore lint/suspicious/noExplicitAny: as JSON.parse has them
export function jsonLines(text: string): any[] {
  const lines = text.trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}
