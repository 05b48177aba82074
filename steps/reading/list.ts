/** The items of a list, however it is marked. Pure. */
import type { ModelOutput } from '../define.js';
import { bareText, withoutItemMark } from './plain.js';

/** How a list is marked. */
export type ListForm = 'json' | 'marked' | 'lines';

export interface ReadList {
  form: ListForm;
  /** As they stand, without what marks them; whole ones only. Some may be empty. */
  items: string[];
}

const NOUN = String.raw`(?:(?<![\p{L}\p{N}])(?:candidate|answer|choice|option|prediction) ?)`;

const ROMAN = 'i ii iii iv v vi vii viii ix x'.split(' ');
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const NUMBERS = Array.from({ length: 26 }, (_, i) => String(i + 1));
const LABEL_PATTERNS = new Map<readonly string[], string>([
  [ROMAN, '([ivx]{1,4})'],
  [LETTERS, '([a-z])'],
  [NUMBERS, String.raw`(\d{1,2})(?!\d)`],
]);

/** A way models mark the items of a list. */
interface Marker {
  /** Whether it marks whatever its label is: one in brackets. */
  sure: boolean;
  pattern(labels: readonly string[]): RegExp;
}

/** `@` stands for the letter or number. */
const marker = (pattern: string, sure = false): Marker => {
  const [before = '', after = ''] = pattern.split('@');
  return {
    sure,
    pattern: (labels) => new RegExp(before + LABEL_PATTERNS.get(labels) + after, 'giu'),
  };
};

const MARKERS: Marker[] = [
  marker(String.raw`${NOUN}?\( ?@ ?\) ?[:=]?`, true),
  marker(String.raw`${NOUN}?\[ ?@ ?\] ?[:=]?`, true),
  marker(`${NOUN}#? ?@ ?[:.)=-]`),
  marker(String.raw`(?<![\p{L}\p{N}.])@ ?\)`),
  marker(String.raw`(?<=^|[\n,;] ?| )@ ?[.:](?=\s)`),
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
  const json = jsonItems(plain, cut) ?? jsonValues(plain) ?? quotedItems(plain);
  if (json) return { form: 'json', items: json };
  // JSON of another shape, or half of it: its lines are no items.
  if (/^(?:\[\s?)?\{\s?"/.test(plain)) return { form: 'json', items: [] };
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
  const start = /^(?:[^[\n]{0,80}:\s?)?(?:\{\s?"[^"\n]{0,40}": ?)?(?=\[\s?(?:"|-?\d|\]|\{))/.exec(
    text,
  );
  if (!start) return undefined;
  const array = text.slice(start[0].length);
  const end = cut ? Math.max(array.lastIndexOf('",'), array.lastIndexOf('"\n')) + 1 : 0;
  const closed = array.lastIndexOf(']') + 1;
  const written = closed > 0 ? array.slice(0, closed) : end > 0 ? `${array.slice(0, end)}]` : '';
  try {
    const items: unknown = JSON.parse(written.replace(/,\s?\]$/, ']'));
    const values = Array.isArray(items) ? items.map(textOf) : [undefined];
    return values.every((value) => value !== undefined) ? values : undefined;
  } catch {
    return undefined;
  }
}

/** A text or number, or of an object its only text: `{"question": "Who?", "rank": 1}`. */
function textOf(item: unknown): string | undefined {
  if (typeof item === 'string' || typeof item === 'number') return String(item);
  const texts = Object.values(item ?? {}).filter((value) => typeof value === 'string');
  return texts.length === 1 ? texts[0] : undefined;
}

/** A list in Python's quotes: "['Bell', 'Gray']". */
function quotedItems(text: string): string[] | undefined {
  const inner = /^\[ ?'([^\n]{1,2000})',? ?\]$/.exec(text)?.[1];
  return inner?.split(/', ?'/);
}

/** The strings of a JSON object: {"a": "Paris", "b": "Lyon"}. */
function jsonValues(text: string): string[] | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const values = Object.values(JSON.parse(text) as object);
    return values.every((value) => typeof value === 'string') ? values : undefined;
  } catch {
    return undefined;
  }
}

function markedItems(text: string): string[] | undefined {
  for (const marker of MARKERS) {
    for (const labels of [ROMAN, LETTERS, NUMBERS]) {
      const starts = markers(text, marker, labels);
      if (starts.length > (labels === ROMAN ? 1 : 0)) {
        return starts.map(({ end }, i) => text.slice(end, starts[i + 1]?.start ?? text.length));
      }
    }
  }
  return undefined;
}

/**
 * Where the markers stand. Those in brackets may come in any order, each label once; of the others
 * each must come later in the alphabet than the one before it, since "A." may be a word.
 */
function markers(
  text: string,
  { pattern, sure }: Marker,
  labels: readonly string[],
): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  const used = new Set<number>();
  let next = 0;
  for (const match of text.matchAll(pattern(labels))) {
    const at = labels.indexOf((match[1] ?? '').toLowerCase());
    const follows = found.length === 0 ? at === 0 : at >= next && at < next + 3;
    if (at < 0 || used.has(at) || !((sure && labels === LETTERS) || follows)) continue;
    used.add(at);
    next = at + 1;
    found.push({ start: match.index, end: match.index + match[0].length });
  }
  return found;
}
