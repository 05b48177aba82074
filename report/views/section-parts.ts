/** Builds the parts of sections. Pure. */
import type { Citation, FinalReading } from '../../core/citations.js';
import type {
  Block,
  Card,
  Chip,
  PassageItem,
  PassageName,
  Section,
  Tone,
} from '../../core/section.js';
import type { ViewContext } from '../../core/view.js';

/**
 * Returns a list of one section; empty if there are no blocks.
 *
 * @param rest Further fields of the section.
 */
export function section(title: string, blocks: Block[], rest: Partial<Section> = {}): Section[] {
  return blocks.length === 0 ? [] : [{ title, blocks, ...rest }];
}

/** Returns a paragraph with a text of the model; empty if there is none. */
export function text(words: string | null | undefined, label?: string): Block[] {
  return words ? [{ type: 'text', ...(label && { label }), text: words }] : [];
}

/** Returns a note; empty if it has no text. */
export function note(words: string | false): Block[] {
  return words ? [{ type: 'note', text: words }] : [];
}

/** Returns a short labelled remark. */
export function chip(words: string, tone: Tone = 'plain'): Chip {
  return { text: words, tone };
}

/** Returns cards one below the other; empty if there are none. */
export function cards(items: Card[]): Block[] {
  return items.length === 0 ? [] : [{ type: 'cards', items }];
}

/**
 * Returns a table; empty if it has no row.
 *
 * @param chosen Position of the row that became the answer.
 */
export function table(head: string[], rows: string[][], chosen = -1): Block[] {
  return rows.length === 0 ? [] : [{ type: 'table', head, rows, ...(chosen >= 0 && { chosen }) }];
}

/** Returns a list of passages; empty if there are none. @param more Returns further properties of a passage. */
export function passages(
  refs: readonly PassageName[],
  more: (ref: PassageName, rank: number) => Partial<PassageItem> = () => ({}),
): Block[] {
  if (refs.length === 0) return [];
  const items = refs.map((ref, rank) => ({
    passage: { id: ref.id, title: ref.title, ...(ref.own && { own: ref.own }) },
    chips: [],
    ...more(ref, rank),
  }));
  return [{ type: 'passages', items }];
}

/** Returns a list of passages by their titles alone. */
export function titles(refs: readonly PassageName[]): Block[] {
  return passages(refs, () => ({ titleOnly: true }));
}

/** Returns a section with the passages of a question, in which cited ones are marked. */
export function passageSection(
  refs: readonly PassageName[],
  citations?: readonly Citation[],
): Section[] {
  const cited = new Set(citations?.map(({ number }) => number));
  const blocks = citations
    ? passages(refs, (_, rank) => ({ number: rank + 1, cited: cited.has(rank + 1) }))
    : passages(refs);
  return section('Passages', blocks, { note: `${refs.length}` });
}

/** Returns a section with the text that the model wrote; empty if it is the answer. */
export function readingSection(
  reading: string | null | undefined,
  { answer }: { answer: string | null },
): Section[] {
  return reading === answer ? [] : section('In the model’s words', text(reading));
}

/**
 * Returns a function that gives the title of a passage by its id; without a title its own id, else
 * the given id.
 */
export function titlesOf(refs: readonly PassageName[]): (id: string) => string {
  const known = new Map(refs.map(({ id, title, own }) => [id, title || own?.id]));
  return (id) => known.get(id) || id;
}

/** One of several queries, and the passages that it found. */
export interface Search {
  query: string;
  /** Ids of the passages, best first. */
  found: string[];
}

/**
 * Returns a section with searches, each with the titles of the passages that it found.
 *
 * @param refs Passages whose titles are known.
 */
export function searchSection(
  searches: readonly Search[],
  refs: readonly PassageName[],
): Section[] {
  const titleOf = titlesOf(refs);
  const items = searches.map(({ query, found }, i) => ({
    title: `Search ${i + 1}`,
    chips: [chip(`${found.length} found`)],
    blocks: [...text(query, 'Query'), ...titles(found.map((id) => ({ id, title: titleOf(id) })))],
  }));
  return section('Searches', cards(items), { note: `${searches.length}`, closed: true });
}

/** Returns a number with its noun: "1 passage", "3 passages". */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/**
 * Returns sections with the passages, and without citations also the model's text if it differs
 * from the answer.
 */
export function baseView(
  { passages = [], reading, citations }: FinalReading & { passages?: readonly PassageName[] },
  context: ViewContext,
): Section[] {
  return [
    ...(citations ? [] : readingSection(reading, context)),
    ...passageSection(passages, citations),
  ];
}
