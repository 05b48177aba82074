/** With the item in it, sorted, so that it does not matter which call came back first. */
export function withOne(items: readonly string[], item: string): string[] {
  return items.includes(item) ? [...items] : [...items, item].sort();
}
