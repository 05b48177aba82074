/** Finds the known name that an unknown one probably means. Pure. */
import { distance } from 'fastest-levenshtein';

/** Largest share of wrong letters in a name that still means another one. */
const WRONG = 0.5;

/** Most names listed in a refusal. */
const MOST_LISTED = 50;

/**
 * Returns the end of a refusal of a name: the name that was probably meant, or else the known ones,
 * at most some of them.
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
 * Returns the known name of which a name looks like a misspelling; undefined if there is none, and
 * for a known name. Used for names that others may define as well, where only near misses are
 * refused.
 */
export function slipOf(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  return known.find(
    (one) => distance(name, one) <= (one.length < LONG ? 1 : 2) || isSwapped(name, one),
  );
}

/** Tells whether two neighbouring letters changed places. */
function isSwapped(name: string, known: string): boolean {
  const at = [...known].findIndex((letter, i) => letter !== name[i]);
  const swapped = `${known.slice(0, at)}${known[at + 1]}${known[at]}${known.slice(at + 2)}`;
  return name === swapped;
}

/** Length from which two letters may be wrong. */
const LONG = 6;

/** Returns the nearest known name; one with the same beginning or end counts as near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const asked = name.toLowerCase();
  const [best] = known
    .map((one) => ({ one, changes: changesTo(asked, one.toLowerCase()) }))
    .filter(({ one, changes }) => changes <= WRONG * Math.min(one.length, name.length))
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
