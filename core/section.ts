/** The sections that show a method's chain, on a terminal or a page. Types only. */
import type { PassageRef } from './vocabulary.js';

/** A passage as chains name it. */
export type PassageName = Pick<PassageRef, 'id' | 'title' | 'own'>;

/** A part of what led to an answer, under a title. */
export interface Section {
  title: string;
  /** Its summary, beside the title. */
  note?: string;
  blocks: Block[];
  /** A page shows it closed at first. */
  closed?: boolean;
  /** Detail that a page shows and a terminal leaves out. */
  detail?: boolean;
}

/** A part of a section. */
export type Block =
  | { type: 'text'; label?: string; text: string }
  | { type: 'note'; text: string }
  | { type: 'passages'; items: PassageItem[] }
  | { type: 'cards'; items: Card[] }
  | { type: 'tree'; items: TreeNode[] }
  | { type: 'table'; head: string[]; rows: string[][]; chosen?: number }
  | { type: 'fold'; title: string; blocks: Block[] };

/** How a chip is coloured. */
export type Tone = 'good' | 'bad' | 'warn' | 'plain';

/** A short fact beside a title. */
export interface Chip {
  text: string;
  tone: Tone;
}

/** A passage as a section shows it. */
export interface PassageItem {
  passage: PassageName;
  /** The number by which the answer cites it. */
  number?: number;
  cited?: boolean;
  chips: Chip[];
  /** Shown without its text. */
  titleOnly?: boolean;
  /** What the method made of it. */
  blocks?: Block[];
}

/** One of several of a kind: a candidate, a document, a follow-up question. */
export interface Card {
  title: string;
  chips: Chip[];
  /** It became the answer. */
  chosen?: boolean;
  /** The address of the call that it shows. */
  call?: string;
  blocks: Block[];
}

/** A card of a tree, with those that follow from it. */
export interface TreeNode extends Card {
  /** It led no further. */
  dropped?: boolean;
  children: TreeNode[];
}
