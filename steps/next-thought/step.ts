/** IRCoT: the next sentence of a chain of thought, or the answer it has come to. */
import { declareStep } from '../define.js';

/** A question with the thoughts that led to its answer. */
export interface ThoughtDemonstration {
  question: string;
  thoughts: string[];
  answer: string;
}

export interface NextThoughtInput {
  question: string;
  /** Ids of all passages gathered so far, in the order shown. */
  passages: string[];
  /** Oldest first. */
  thoughts: string[];
  demonstrations: ThoughtDemonstration[];
}

export type NextThought = { thought: string } | { answer: string };

/** Null when the output stayed unreadable. */
export const nextThought = declareStep<NextThoughtInput, NextThought | null>(
  ({ thoughts, passages }) => `thought ${thoughts.length + 1}, ${passages.length} passages`,
);
