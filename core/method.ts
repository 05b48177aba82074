import type { z } from 'zod';
import type { View } from './view.js';
import type { PassageRef } from './vocabulary.js';

/** The forms of answers: a few words, or cited sentences, or a cited list. */
export const ANSWER_FORMS = ['short', 'prose', 'list'] as const;
/** The form of answer that a prompt asks for: a short answer, prose, or a list of answers. */
export type AnswerForm = (typeof ANSWER_FORMS)[number];

/** An answer that a method chose among, with the text by which it was judged, if there is one. */
export interface ToldCandidate {
  text: string;
  rationale?: string | undefined;
}

/** A number that a chain tells, and the most that it can be with the options. */
export interface ToldCount<O, C> {
  of(chain: C): number;
  most(options: O): number;
}

/**
 * What the chain of a method says, by the names under which metrics and slices read it. What is left
 * out has no metric for the method.
 */
export interface Tells<O = unknown, C = never> {
  /** Whether what was answered from had passed its verification; undefined if nothing was verified. */
  verificationPassed?(chain: C): boolean | undefined;
  /** The same of the first verification, before anything was searched for that it missed. */
  firstVerificationPassed?(chain: C): boolean | undefined;
  /** Rounds of a loop that were begun. */
  iterations?: ToldCount<O, C>;
  /** Different passages that a model was offered. */
  documentsSeen?: ToldCount<O, C>;
  /** Passages that all searches found together, those that were found again included. */
  documentsFound?: ToldCount<O, C>;
  /** The answers that the method chose among. */
  candidates?(chain: C): readonly ToldCandidate[];
  /** Texts that steps wrote and the answer rests on, by what they are: "evidence", "summaries". */
  texts?: Readonly<Record<string, (chain: C) => readonly string[]>>;
}

/** A method's declaration, shipped or custom: its options and its chain. */
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
  /** Returns false if a question with these options searches nothing. By default all search. */
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
  /** What its chain says that metrics and slices read. */
  tells?: Tells<O, C>;
  /** Figures reported by the paper. */
  figures: string;
  /** Shows the chain on the command line and in reports; by default all its fields are shown. */
  view?: View<C>;
}
