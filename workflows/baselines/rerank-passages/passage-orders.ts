/** Returns the orders, each once; the first is the one whose best passages are read. */
export function ordersOf<By>({ by, compare }: { by: By; compare: readonly By[] }): By[] {
  return [...new Set([by, ...compare])];
}
