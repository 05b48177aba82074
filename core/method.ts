import type { z } from 'zod';
import type { View } from './view.js';
import type { PassageRef } from './vocabulary.js';

/** The forms of answers: `short` (a few words), `prose` (sentences), and `list`. */
export const ANSWER_FORMS = ['short', 'prose', 'list'] as const;
/** The form of the answer that a prompt asks for: short, prose or list. */
export type AnswerForm = (typeof ANSWER_FORMS)[number];

/** One of the answers that a method chose from, with the text that supports it, if any. */
export interface CandidateAnswer {
  text: string;
  /** Text that supports it; undefined if there is none. */
  rationale?: string | undefined;
}

/**
 * Two functions for a count in a method's chain, such as the number of rounds: `of` returns the
 * count of a chain, `most` the largest count that the method's options allow.
 */
export interface BoundedCount<O, C> {
  /** Returns the count of a chain. */
  of(chain: C): number;
  /** Returns the largest count that these options allow. */
  most(options: O): number;
}

/**
 * The facts that a method declares about its chain, the record of how it answered a question, for
 * metrics and for slices (groups of questions with scores of their own): functions that return a
 * fact of a chain, and the largest counts that its options allow. A fact that is left out has no
 * metric, except the number of searches, which is always counted.
 */
export interface ChainFacts<O = unknown, C = never> {
  /** Whether the last verification passed; undefined if nothing was verified. */
  verificationPassed?(chain: C): boolean | undefined;
  /**
   * Whether the first verification passed, before any further search; undefined if nothing was
   * verified.
   */
  firstVerificationPassed?(chain: C): boolean | undefined;
  /** Number of rounds of a loop that were started. */
  iterations?: BoundedCount<O, C>;
  /** Number of distinct passages that a model was shown. */
  documentsSeen?: BoundedCount<O, C>;
  /** Number of passages that all searches returned, repeats included. */
  documentsFound?: BoundedCount<O, C>;
  /**
   * Returns the maximum number of searches for a question with these options, if their number
   * depends on the results. The actual number is counted for every method.
   */
  mostSearches?(options: O): number;
  /** Returns the answers that the method chose from. */
  candidates?(chain: C): readonly CandidateAnswer[];
  /**
   * Functions that return texts which steps wrote and on which the answer rests, by kind:
   * "evidence", "summaries".
   */
  texts?: Readonly<Record<string, (chain: C) => readonly string[]>>;
}

/**
 * The declaration of a method: its name, options and steps, and functions that read and show its
 * chain.
 */
export interface Method<O, C = never> {
  /** The workflow's type name. */
  name: string;
  title: string;
  /** Paper and section that it implements. */
  source: string;
  /** Schema of its options, with defaults. */
  options: z.ZodType<O>;
  /**
   * The steps that ask a language model, with any options; `models` can name them. Undefined if
   * unknown.
   */
  steps?: readonly string[] | undefined;
  /**
   * Returns false if a question with these options searches nothing. @default every question
   * searches
   */
  searches?(options: O): boolean;
  /**
   * Returns the form of answers that cite passages; undefined if they do not cite. The chain then
   * contains the citations, as in `FinalReading`, and a judge can check them.
   */
  cites?(options: O): Exclude<AnswerForm, 'short'> | undefined;
  /** Returns the form of answers that cite nothing; by default they are short. */
  form?(options: O): AnswerForm;
  /**
   * Returns the passages that an answer was read from, best first, for scores, rubrics and exports.
   * By default the evidence of the result.
   */
  passagesRead?(chain: C): readonly PassageRef[];
  /** Returns texts that the method wrote instead of passages, or in addition to them. */
  documentsRead?(chain: C): readonly string[];
  /** Functions that read facts from its chain, for metrics and slices. */
  facts?: ChainFacts<O, C>;
  /** Figures that the paper reports, as text. */
  figures: string;
  /**
   * Returns the chain as sections for the command line and reports; by default all its fields are
   * shown.
   */
  view?: View<C>;
}
