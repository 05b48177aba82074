/** Values in brackets: "[8]", "[YES]", "(b)". Pure. */

/** One value, and where it stands. */
export interface Bracketed {
  value: string;
  start: number;
  end: number;
}

/** All short values in square brackets, or in round ones where `round` says so, in order. */
export function bracketed(text: string, { round = false } = {}): Bracketed[] {
  const pattern = round ? /[[(] ?([^[\]()\n]{1,40}?) ?[\])]/g : /\[ ?([^[\]\n]{1,40}?) ?\]/g;
  return [...text.matchAll(pattern)].map(({ 0: whole, 1: value = '', index }) => ({
    value,
    start: index,
    end: index + whole.length,
  }));
}
