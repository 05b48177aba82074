/** Sections that show a method's chain, on a terminal or a page. Types only. */
import type { PassageRef } from './vocabulary.js';

/** What the chain of a method stores of a passage: its id and title, not its text. */
export type PassageName = Pick<PassageRef, 'id' | 'title' | 'own'>;

/** A part of what led to an answer, under a title. */
export interface Section {
  title: string;
  /** A summary beside the title. */
  note?: string;
  blocks: Block[];
  /** Whether a page shows it closed at first. */
  closed?: boolean;
  /** Whether it is detail, which a terminal leaves out. */
  detail?: boolean;
}

/** A part of a section: a text, passages, cards, a tree, a table, or blocks to unfold. */
export type Block =
  | { type: 'text'; label?: string; text: string }
  | { type: 'note'; text: string }
  | { type: 'passages'; items: PassageItem[] }
  | { type: 'cards'; items: Card[] }
  | { type: 'tree'; items: TreeNode[] }
  | { type: 'table'; head: string[]; rows: string[][]; chosen?: number }
  | { type: 'fold'; title: string; blocks: Block[] };

/** What a chip says of its fact, shown as a colour. */
export type Tone = 'good' | 'bad' | 'warn' | 'plain';

/** A short fact beside a title. */
export interface Chip {
  text: string;
  tone: Tone;
}

/** A passage in a list of passages, with what the answer or the method made of it. */
export interface PassageItem {
  passage: PassageName;
  /** Number by which the answer cites it. */
  number?: number;
  cited?: boolean;
  chips: Chip[];
  /** Whether its text is left out. */
  titleOnly?: boolean;
  /** What the method made of it. */
  blocks?: Block[];
}

/** One of several similar items: a candidate, a document, a follow-up question. */
export interface Card {
  title: string;
  chips: Chip[];
  /** Whether it became the answer. */
  chosen?: boolean;
  /** Address of the call that it shows. */
  call?: string;
  blocks: Block[];
}

/** A card of a tree, and the cards that follow from it. */
export interface TreeNode extends Card {
  /** Whether it was not continued. */
  dropped?: boolean;
  children: TreeNode[];
}
