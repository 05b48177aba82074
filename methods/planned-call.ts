/** The steps of a question ahead of time: what each would be shown at most. Pure. */
import type { Passage } from './vocabulary.js';

/** A step, and what it would be given: texts that nobody has yet are as long as they can become. */
export interface PlannedCall {
  step: string;
  /** As the activity takes it, with passages in place of their ids. */
  input: object;
}

/** What a plan is made from. */
export interface Given {
  question: string;
  /** Different passages that all searches together can find. */
  available: number;
  /** The longest passages that a search can find, so many at most. */
  passages(count: number): Passage[];
  /** As long a text as a step can write for this input. */
  output(step: string, input?: object): string;
}

/** A text of several things, such as a list: one of so many things of equal length. */
export function partOf(text: string, count: number): string {
  return text.slice(0, Math.ceil(text.length / count));
}

/** So many of the same. */
export function times<T>(count: number, make: (position: number) => T): T[] {
  return Array.from({ length: count }, (_, position) => make(position));
}
