/**
 * The sections that show a method's chain, on a terminal or a page. Types only.
 *
 * `P` is how passages are named: by their ids and titles; in a page's data by their places there.
 */
import type { PassageRef } from './vocabulary.js';

/** A passage as chains name it. */
export type PassageName = Pick<PassageRef, 'id' | 'title'>;

export interface Section<P = PassageName> {
  title: string;
  /** Its summary, beside the title. */
  note?: string;
  blocks: Block<P>[];
  /** A page shows it closed at first. */
  closed?: boolean;
  /** Detail that a page shows and a terminal leaves out. */
  detail?: boolean;
}

export type Block<P = PassageName> =
  | { type: 'text'; label?: string; text: string }
  | { type: 'note'; text: string }
  | { type: 'passages'; items: PassageItem<P>[] }
  | { type: 'cards'; items: Card<P>[] }
  | { type: 'tree'; items: TreeNode<P>[] }
  | { type: 'table'; head: string[]; rows: string[][]; chosen?: number }
  | { type: 'fold'; title: string; blocks: Block<P>[] };

export type Tone = 'good' | 'bad' | 'warn' | 'plain';

/** A short fact beside a title. */
export interface Chip {
  text: string;
  tone: Tone;
}

export interface PassageItem<P = PassageName> {
  passage: P;
  /** The number by which the answer cites it. */
  number?: number;
  cited?: boolean;
  chips: Chip[];
  /** Shown without its text. */
  titleOnly?: boolean;
  /** What the method made of it. */
  blocks?: Block<P>[];
}

/** One of several of a kind: a candidate, a document, a follow-up question. */
export interface Card<P = PassageName> {
  title: string;
  chips: Chip[];
  /** It became the answer. */
  chosen?: boolean;
  /** The address of the call that it shows. */
  call?: string;
  blocks: Block<P>[];
}

export interface TreeNode<P = PassageName> extends Card<P> {
  /** It led no further. */
  dropped?: boolean;
  children: TreeNode<P>[];
}
