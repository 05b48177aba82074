/** Finds the known name that an unknown one probably means. Pure. */
import { distance } from 'fastest-levenshtein';

/** Largest share of changed letters at which a name still counts as another one misspelt. */
const MOST_CHANGED = 0.5;

/** Maximum number of names listed in an error message. */
const MOST_LISTED = 50;

/**
 * Returns the end of an error message about an unknown name: "; did you mean candidates?", or else
 * a list of up to 50 known names. Empty if no names are known.
 *
 * @example `candidate: there is no such field${suggestion('candidate', ['candidates'])}`
 */
export function suggestion(name: string, known: readonly string[]): string {
  if (known.length === 0) return '';
  const near = nearest(name, known);
  if (near !== undefined) return `; did you mean ${near}?`;
  const more = known.length - MOST_LISTED;
  const listed = known.slice(0, MOST_LISTED).join(', ');
  return `; there are ${listed}${more > 0 ? `, and ${more} more` : ''}`;
}

/**
 * Returns the known name that differs from the given one by a slip: one wrong letter (in names of
 * six letters or more also two), or two swapped ones. Undefined if there is none, or if the name is
 * known. Stricter than `nearest`, for names that other programs may define.
 */
export function correctedName(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  return known.find(
    (one) => distance(name, one) <= (one.length < LONG ? 1 : 2) || isSwapped(name, one),
  );
}

/** Returns whether a name is a known one with two neighbouring letters swapped. */
function isSwapped(name: string, known: string): boolean {
  const at = [...known].findIndex((letter, i) => letter !== name[i]);
  const swapped = `${known.slice(0, at)}${known[at + 1]}${known[at]}${known.slice(at + 2)}`;
  return name === swapped;
}

/** Length of a name from which two letters may be wrong. */
const LONG = 6;

/**
 * Returns the known name that is most similar to a name by edit distance, letter case aside;
 * undefined if none is similar. A known name that begins with the given one counts as similar if
 * that has at least two letters.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const asked = name.toLowerCase();
  const [best] = known
    .map((one) => ({ one, changes: changesTo(asked, one.toLowerCase()) }))
    .filter(({ one, changes }) => changes <= MOST_CHANGED * Math.min(one.length, name.length))
    .sort((a, b) => a.changes - b.changes);
  return best?.one;
}

function changesTo(asked: string, known: string): number {
  // Someone who types "nq" means "nq-open".
  if (asked.length > 1 && known.startsWith(asked) && asked !== known) return 1;
  const changes = distance(asked, known);
  // "validation" is further from "validate" by letters than to a person's eye.
  return commonStart(asked, known) >= 4 ? changes / 2 : changes;
}

function commonStart(a: string, b: string): number {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return same;
}
