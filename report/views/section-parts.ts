/** Builds the parts of sections for the views of methods. Pure. */
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
 * Returns an array with one section; empty if there are no blocks.
 *
 * @param rest Further fields of the section.
 */
export function section(title: string, blocks: Block[], rest: Partial<Section> = {}): Section[] {
  return blocks.length === 0 ? [] : [{ title, blocks, ...rest }];
}

/**
 * Returns an array with one block of a section that shows a paragraph of text; empty if there is
 * no text.
 */
export function text(words: string | null | undefined, label?: string): Block[] {
  return words ? [{ type: 'text', ...(label && { label }), text: words }] : [];
}

/** Returns an array with one block of a section that shows a note; empty if there is no text. */
export function note(words: string | false): Block[] {
  return words ? [{ type: 'note', text: words }] : [];
}

/**
 * Returns a chip: a short remark that is shown beside a title, as text and tone.
 *
 * @param tone How it is coloured. @default plain
 */
export function chip(words: string, tone: Tone = 'plain'): Chip {
  return { text: words, tone };
}

/**
 * Returns an array with one block of a section that shows cards one below the other; empty if
 * there are none.
 */
export function cards(items: Card[]): Block[] {
  return items.length === 0 ? [] : [{ type: 'cards', items }];
}

/**
 * Returns an array with one block of a section that shows a table; empty if there are no rows.
 *
 * @param chosen Position of the row that became the answer; -1 for none.
 */
export function table(head: string[], rows: string[][], chosen = -1): Block[] {
  return rows.length === 0 ? [] : [{ type: 'table', head, rows, ...(chosen >= 0 && { chosen }) }];
}

/**
 * Returns an array with one block of a section that lists passages; empty if there are none.
 *
 * @param more Returns further properties of a passage, such as whether it is cited; `rank` counts
 * from 0.
 */
export function passageList(
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

/**
 * Returns an array with one block that lists passages by their titles alone; empty if there are
 * none.
 */
export function titleList(refs: readonly PassageName[]): Block[] {
  return passageList(refs, () => ({ titleOnly: true }));
}

/**
 * Returns an array with one section, the passages of a question; empty if there are none. With
 * citations, passages are numbered from 1 and cited ones are marked.
 */
export function passageSection(
  refs: readonly PassageName[],
  citations?: readonly Citation[],
): Section[] {
  const cited = new Set(citations?.map(({ number }) => number));
  const blocks = citations
    ? passageList(refs, (_, rank) => ({ number: rank + 1, cited: cited.has(rank + 1) }))
    : passageList(refs);
  return section('Passages', blocks, { note: `${refs.length}` });
}

/**
 * Returns an array with one section, the text that the model wrote; empty if there is none or it
 * equals the answer.
 */
export function readingSection(
  reading: string | null | undefined,
  { answer }: { answer: string | null },
): Section[] {
  return reading === answer ? [] : section('In the model’s words', text(reading));
}

/**
 * Returns a function that maps the id of a passage to its title; to its id in the user's corpus if
 * it has no title; to the given id if it has neither, or is none of these passages.
 */
export function titlesOf(refs: readonly PassageName[]): (id: string) => string {
  const known = new Map(refs.map(({ id, title, own }) => [id, title || own?.id]));
  return (id) => known.get(id) || id;
}

/** A search of a question: its query, and the ids of the passages that it found. */
export interface Search {
  query: string;
  /** Ids of the passages, best first. */
  found: string[];
}

/**
 * Returns an array with one section: the queries, each with the titles of the passages that it
 * found. Empty if there are none.
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
    blocks: [
      ...text(query, 'Query'),
      ...titleList(found.map((id) => ({ id, title: titleOf(id) }))),
    ],
  }));
  return section('Searches', cards(items), { note: `${searches.length}`, closed: true });
}

/** Returns a number with its noun, with an s unless the number is 1: "1 passage", "3 passages". */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/**
 * Returns an array of the sections that all methods share: the model's text if it differs from the
 * answer and no `citations` are given, then the passages. Sections without content are left out.
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
