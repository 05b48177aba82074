import type { z } from 'zod';
import type { View } from './view.js';
import type { PassageRef } from './vocabulary.js';

/** The forms of answers: a few words, sentences, or a list. */
export const ANSWER_FORMS = ['short', 'prose', 'list'] as const;
/** The form of answer that a prompt asks for: a short answer, prose, or a list of answers. */
export type AnswerForm = (typeof ANSWER_FORMS)[number];

/** One of the answers that a method chose from, with the text that supports it, if there is one. */
export interface CandidateAnswer {
  text: string;
  rationale?: string | undefined;
}

/** A count that is read from a method's chain, with its upper bound. */
export interface BoundedCount<O, C> {
  /** Returns the count of a chain. */
  of(chain: C): number;
  /** Returns the largest count that is possible with the options. */
  most(options: O): number;
}

/**
 * Functions that read facts from a method's chain, for metrics and slices. A fact that is left out
 * has no metric.
 */
export interface ChainFacts<O = unknown, C = never> {
  /** Whether the last verification passed; undefined if nothing was verified. */
  verificationPassed?(chain: C): boolean | undefined;
  /**
   * Whether the first verification passed, before any further search; undefined if nothing was
   * verified.
   */
  firstVerificationPassed?(chain: C): boolean | undefined;
  /** Number of started rounds of a loop. */
  iterations?: BoundedCount<O, C>;
  /** Number of distinct passages that a model was shown. */
  documentsSeen?: BoundedCount<O, C>;
  /** Number of passages that all searches found, repeats included. */
  documentsFound?: BoundedCount<O, C>;
  /**
   * Most searches that a question makes with the options, if that depends on what comes of them. How
   * many it makes is counted for every method.
   */
  mostSearches?(options: O): number;
  /** The answers that the method chose from. */
  candidates?(chain: C): readonly CandidateAnswer[];
  /** Texts that steps wrote and the answer rests on, by kind: "evidence", "summaries". */
  texts?: Readonly<Record<string, (chain: C) => readonly string[]>>;
}

/**
 * The declaration of a method: its name, options and steps, and how its chain is read and shown.
 */
export interface Method<O, C = never> {
  /** The workflow's type name. */
  name: string;
  title: string;
  /** Paper and section. */
  source: string;
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
  /** Facts of its chain that metrics and slices read. */
  tells?: ChainFacts<O, C>;
  /** Figures reported by the paper. */
  figures: string;
  /** Shows the chain on the command line and in reports; by default all its fields are shown. */
  view?: View<C>;
}
