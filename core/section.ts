/** Sections by which a method's chain is shown, on a terminal or a page. Types only. */
import type { PassageRef } from './vocabulary.js';

/**
 * A passage as a section names it: its id and title, and the id and score that its supplier gave
 * it (`own`), if any.
 */
export type PassageName = Pick<PassageRef, 'id' | 'title' | 'own'>;

/**
 * A part of a chain, the record of how a method answered a question, as it is shown: a title with
 * blocks below.
 */
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

/**
 * A part of a section, by its `type`: a text, a note, passages, cards, a tree, a table, or a group
 * of blocks that is folded at first.
 */
export type Block =
  | { type: 'text'; label?: string; text: string }
  | { type: 'note'; text: string }
  | { type: 'passages'; items: PassageItem[] }
  | { type: 'cards'; items: Card[] }
  | { type: 'tree'; items: TreeNode[] }
  | { type: 'table'; head: string[]; rows: string[][]; chosen?: number }
  | { type: 'fold'; title: string; blocks: Block[] };

/** The meaning of a chip, such as good or bad, which is shown by its colour. */
export type Tone = 'good' | 'bad' | 'warn' | 'plain';

/** Text and tone of a short coloured label beside a title, such as "valid". */
export interface Chip {
  text: string;
  tone: Tone;
}

/** A passage in a list, with marks for how the method or the answer used it. */
export interface PassageItem {
  passage: PassageName;
  /** Number by which the answer cites it. */
  number?: number;
  cited?: boolean;
  chips: Chip[];
  /** Whether its text is left out. */
  titleOnly?: boolean;
  /** Blocks below it, such as a note on the passage. */
  blocks?: Block[];
}

/**
 * A card for one of several similar items, such as a candidate, a document or a follow-up question.
 */
export interface Card {
  title: string;
  chips: Chip[];
  /** Whether it became the answer. */
  chosen?: boolean;
  /** Address of the call that it shows. */
  call?: string;
  blocks: Block[];
}

/** A card in a tree, with the cards below it. */
export interface TreeNode extends Card {
  /** Whether the method did not continue from it. */
  dropped?: boolean;
  children: TreeNode[];
}
