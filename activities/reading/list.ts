/** The items of a list, however it is marked. Pure. */
import type { ModelOutput } from '../step.js';
import { bareText, withoutItemMark } from './plain.js';

/** How a list is marked. */
export type ListForm = 'json' | 'marked' | 'lines';

export interface ReadList {
  form: ListForm;
  /** As they stand, without what marks them; whole ones only. Some may be empty. */
  items: string[];
}

const NOUN = String.raw`(?:(?<![\p{L}\p{N}])(?:candidate|answer|choice|option|prediction) ?)`;
/** Ways models mark the items of a list; `#` stands for the letter or number. */
const MARKERS = [
  String.raw`${NOUN}?\( ?# ?\) ?[:=]?`,
  String.raw`${NOUN}?\[ ?# ?\] ?[:=]?`,
  `${NOUN}#? ?# ?[:.)=-]`,
  String.raw`(?<![\p{L}\p{N}.])# ?\)`,
  String.raw`(?<=^|[\n,;] ?| )# ?[.:](?=\s)`,
];

/**
 * Reads a JSON array, items marked by letters or numbers in their order, or lines (with bullets,
 * numbers, or bare). A list's own numbers are never its items.
 *
 * Of an output that was cut the item it was stopped in is left out.
 *
 * @returns undefined for a text of one line without any mark: whether it holds one item or several
 * is for the step to say.
 */
export function readList({ text, cut }: Pick<ModelOutput, 'text' | 'cut'>): ReadList | undefined {
  const plain = bareText(text);
  const json = jsonItems(plain, cut);
  if (json) return { form: 'json', items: json };
  const marked = markedItems(plain);
  if (marked) return { form: 'marked', items: whole(marked, cut) };
  const lines = plain.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2 && withoutItemMark(plain) === plain) return undefined;
  return { form: 'lines', items: whole(lines, cut).map(withoutItemMark) };
}

function whole(items: string[], cut: boolean): string[] {
  return cut ? items.slice(0, -1) : items;
}

/**
 * The strings of the first JSON array, by itself or in an object; of one that was cut those that
 * are closed. Undefined where there is none, or it holds anything but strings and numbers.
 */
function jsonItems(text: string, cut: boolean): string[] | undefined {
  const start = /^(?:[^[\n]{0,80}:\s?)?(?:\{\s?"[^"\n]{0,40}": ?)?(?=\[\s?(?:"|-?\d|\]))/.exec(
    text,
  );
  if (!start) return undefined;
  const array = text.slice(start[0].length);
  const end = cut ? Math.max(array.lastIndexOf('",'), array.lastIndexOf('"\n')) + 1 : 0;
  const closed = array.lastIndexOf(']') + 1;
  const written = closed > 0 ? array.slice(0, closed) : end > 0 ? `${array.slice(0, end)}]` : '';
  try {
    const items: unknown = JSON.parse(written.replace(/,\s?\]$/, ']'));
    if (!Array.isArray(items)) return undefined;
    if (!items.every((item) => typeof item === 'string' || typeof item === 'number'))
      return undefined;
    return items.map(String);
  } catch {
    return undefined;
  }
}

const LABELS = [
  [...'abcdefghijklmnopqrstuvwxyz'],
  Array.from({ length: 26 }, (_, i) => String(i + 1)),
];

function markedItems(text: string): string[] | undefined {
  for (const marker of MARKERS) {
    for (const labels of LABELS) {
      const starts = markers(text, marker, labels);
      if (starts.length > 0) {
        return starts.map(({ end }, i) => text.slice(end, starts[i + 1]?.start ?? text.length));
      }
    }
  }
  return undefined;
}

/** Where the markers stand; each must come later in the alphabet than the one before it. */
function markers(
  text: string,
  marker: string,
  labels: readonly string[],
): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let next = 0;
  const label = labels[0] === 'a' ? '([a-z])' : String.raw`(\d{1,2})(?!\d)`;
  // The last # is the place of the label.
  const place = marker.lastIndexOf('#');
  const any = new RegExp(marker.slice(0, place) + label + marker.slice(place + 1), 'giu');
  for (const match of text.matchAll(any)) {
    const at = labels.indexOf(
      (match.slice(1).find((group) => group !== undefined) ?? '').toLowerCase(),
    );
    const fits = found.length === 0 ? at === 0 : at >= next && at < next + 3;
    if (!fits) continue;
    next = at + 1;
    found.push({ start: match.index, end: match.index + match[0].length });
  }
  return found;
}
