/** What the project knows of a method besides its workflow. */
import type { z } from 'zod';
import type { Question } from './algorithm.js';
import type { Conclusion } from './result.js';
import type { View } from './view.js';
import type { PassageRef } from './vocabulary.js';

/** A method: one that ships, or one of somebody's own. */
export interface OwnMethod<O> {
  /** The workflow's type name. */
  name: string;
  title: string;
  /** Paper and section. */
  source: string;
  options: z.ZodType<O>;
  /** What its workflow runs: a dry run plans by it. Without it a dry run knows no calls. */
  algorithm?(asked: Question<O>): Promise<Conclusion<unknown>>;
  /**
   * Options with which a question takes at least what it can take with the chosen ones. Said only
   * where outputs as long as they can be do not make a question take the most: a dry run is then a
   * bound that few questions reach.
   */
  bound?(options: O): O;
  /**
   * The steps that ask a language model, whatever the options: `models` can name them. Undefined
   * where no more than the method's name is known.
   */
  steps: readonly string[] | undefined;
  /** False where a question with these options searches nothing. By default all search. */
  searches?(options: O): boolean;
  /**
   * The form of answers that cite passages; undefined where they do not. The chain has what the
   * answer cites then, as `FinalReading` does: a judge can be asked about it.
   */
  cites?(options: O): 'prose' | 'list' | undefined;
  /**
   * The passages that an answer was read from, told from its chain, best first: scores, rubrics and
   * exports take them. By default the evidence of the result.
   */
  passagesRead?(chain: never): readonly PassageRef[];
  /** Texts that the method wrote in place of passages, or beside them. */
  documentsRead?(chain: never): readonly string[];
  /** Model calls of one question, as a formula over the options. */
  callsFormula: string;
  /** What the paper reports. */
  figures: string;
  /** Tells its chain, on the command line and in reports; by default all of its fields are told. */
  view?: View;
}

/** What a method must say; the rest has a default. */
export type MethodDefinition<O> = Pick<OwnMethod<O>, 'name' | 'title' | 'options'> &
  Partial<OwnMethod<O>>;

/**
 * Describes a method: its options, its algorithm, and what `durable-rag methods`, a dry run and a
 * report tell of it. Its workflow has the same name.
 */
export function defineMethod<O>(
  method: MethodDefinition<O>,
): OwnMethod<O> & { steps: readonly string[] } {
  return {
    source: 'A method of your own',
    callsFormula: 'not said',
    figures: 'none',
    ...method,
    steps: method.steps ?? [],
  };
}
