/**
 * How a method's chain is told, whatever draws it: a terminal, a page. Types only.
 *
 * `P` is how passages are named: by their ids and titles; in a page's data by their places there.
 */
import type { PassageRef } from './vocabulary.js';

/** A passage as chains name it. */
export type PassageName = Pick<PassageRef, 'id' | 'title'>;

export interface Section<P = PassageName> {
  title: string;
  /** What it comes down to, beside the title. */
  note?: string;
  blocks: Block<P>[];
  /** A page shows it closed until it is asked for. */
  closed?: boolean;
  /** More than a short account needs: a page shows it, a terminal leaves it out. */
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
  /** What the answer cites it by. */
  number?: number;
  /** Whether the answer does. */
  cited?: boolean;
  chips: Chip[];
  /** Where its text is not called for. */
  titleOnly?: boolean;
  /** What was made of it. */
  blocks?: Block<P>[];
}

/** One of several of a kind: a candidate, a document, a follow-up question. */
export interface Card<P = PassageName> {
  title: string;
  chips: Chip[];
  /** It became the answer. */
  chosen?: boolean;
  blocks: Block<P>[];
}

export interface TreeNode<P = PassageName> extends Card<P> {
  /** It led no further. */
  dropped?: boolean;
  children: TreeNode<P>[];
}
