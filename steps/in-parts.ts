/** Returns a text in `count` parts of equal length, all different where there is room for it. */
export function inParts(text: string, count: number): string[] {
  const length = Math.ceil(text.length / count);
  return Array.from({ length: count }, (_, k) => {
    const mark = k.toString(36);
    return text.slice(text.length - length + mark.length) + mark;
  });
}
