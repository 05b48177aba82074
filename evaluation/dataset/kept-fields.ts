/**
 * Fields of a record that no reader uses and that are stored with its questions, for slices of
 * tables. Pure.
 */
import { isObject } from '../../core/is-object.js';

/** Most fields stored of a record; the first ones of the file. */
export const MOST_FIELDS = 24;
/** Characters of a field's path and of its value, at most: a longer one is no name of a slice. */
export const LONGEST_FIELD = 64;
export const LONGEST_VALUE = 200;

/** Levels of objects that are gone into, as FlashRAG's `metadata.type`. */
const DEEPEST = 3;

/**
 * Returns the short texts, numbers and booleans of a record by their dotted paths, as texts. Lists are
 * left out, since a question is in one slice.
 *
 * @param isRead Whether a reader makes something of the field of a path: it is left out.
 * @example keptFields({ type: 'bridge', metadata: { hop: 2 } }, () => false) // type, metadata.hop
 */
export function keptFields(
  record: object,
  isRead: (path: string) => boolean,
): Record<string, string> {
  const found = valuesIn(record, '', 1)
    .map(([path, value]) => [path, String(value).trim()] as const)
    .filter(
      ([path, value]) =>
        value !== '' &&
        value.length <= LONGEST_VALUE &&
        path.length <= LONGEST_FIELD &&
        !isRead(path),
    );
  return Object.fromEntries(found.slice(0, MOST_FIELDS));
}

function valuesIn(
  held: object,
  at: string,
  level: number,
): [path: string, value: string | number | boolean][] {
  return Object.entries(held).flatMap(([name, value]) => {
    const path = at === '' ? name : `${at}.${name}`;
    if (isObject(value)) return level < DEEPEST ? valuesIn(value, path, level + 1) : [];
    return ['string', 'number', 'boolean'].includes(typeof value) ? [[path, value]] : [];
  });
}
