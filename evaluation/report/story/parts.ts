/** The parts that stories are put together from. Pure. */
import type { Citation } from '../../../methods/citations.js';
import type { PassageRef } from '../../../methods/vocabulary.js';
import type { Block, Card, Chip, CitedText, PassageItem, Section, Tone } from '../page-data.js';
import type { PlacePassage } from './shelf.js';

/** What a story is told with. */
export interface Teller {
  /** The question's answer; null when there is none. */
  answer: string | null;
  place: PlacePassage;
}

/** Of longer lists only the first are shown with their texts. */
const TEXTS = 20;

export function chip(text: string, tone: Tone = 'plain'): Chip {
  return { text, tone };
}

/** A paragraph in the model's words; nothing where there is none. */
export function said(label: string, text: string | null | undefined): Block[] {
  return text ? [{ type: 'text', label, text }] : [];
}

/** A section, unless it would be empty. */
export function section(title: string, blocks: Block[], rest: Partial<Section> = {}): Section[] {
  return blocks.length === 0 ? [] : [{ title, blocks, ...rest }];
}

/** Cards one below the other; nothing where there is none. */
export function cards(items: Card[]): Block[] {
  return items.length === 0 ? [] : [{ type: 'cards', items }];
}

/** A table; nothing where it has no row. */
export function table(head: string[], rows: string[][]): Block[] {
  return rows.length === 0 ? [] : [{ type: 'table', head, rows }];
}

/** Passages in their order, with their ranks. */
export function passageList(
  passages: readonly PassageRef[],
  { place }: Teller,
  marks: (passage: PassageRef, rank: number) => Partial<PassageItem> = () => ({}),
): Block[] {
  if (passages.length === 0) return [];
  const items = passages.map((passage, rank) => ({
    at: place(passage, rank < TEXTS),
    chips: [],
    ...marks(passage, rank),
  }));
  return [{ type: 'passages', items }];
}

/** The section with the passages a question was asked with. */
export function passageSection(
  passages: readonly PassageRef[],
  teller: Teller,
  marks?: Parameters<typeof passageList>[2],
): Section[] {
  return section('Passages', passageList(passages, teller, marks), { note: `${passages.length}` });
}

/** Passages by their titles alone. */
export function titleList(passages: readonly PassageRef[], { place }: Teller): Block[] {
  if (passages.length === 0) return [];
  return [
    {
      type: 'passages',
      items: passages.map((passage) => ({ at: place(passage, false), chips: [] })),
    },
  ];
}

/** A text whose citations lead to their passages. */
export function cited(
  text: string,
  citations: readonly Citation[] | undefined,
  { place }: Teller,
): CitedText {
  if (!citations || citations.length === 0) return { text };
  return {
    text,
    cites: citations.map(({ number, passage }) => ({ number, at: place({ id: passage }) })),
  };
}

/** What the model wrote in place of the answer, where the two are not the same. */
export function readingSection(reading: string | null | undefined, { answer }: Teller): Section[] {
  return reading === answer ? [] : section('In the model’s words', said('', reading));
}
