/** What the project knows of a method besides its workflow. */
import type { z } from 'zod';
import type { View } from '../views/view.js';
import type { Given, PlannedCall } from './planned-call.js';

/** A method of somebody's own, in a package of its own, or one of ours. */
export interface OwnMethod<O> {
  /** The workflow's type name. */
  name: string;
  title: string;
  /** Paper and section. */
  source: string;
  options: z.ZodType<O>;
  /**
   * The steps that ask a language model, whatever the options: `models` can name them. Undefined
   * where no more than the method's name is known.
   */
  steps: readonly string[] | undefined;
  /** True where the method searches nothing, whatever its options. */
  memoryOnly?: true;
  /** Model calls of one question, as a formula over the options. */
  callsFormula: string;
  /** The same formula, computed. */
  calls(options: O): number;
  /**
   * Every step that one question takes at most, in any order: what a dry run counts. Without it a
   * dry run knows no tokens.
   */
  plan?(options: O, given: Given): PlannedCall[];
  /** What the paper reports. */
  figures: string;
  /** Tells its chain, on the command line and in reports; by default all of its fields are told. */
  view?: View;
}

/** A method that ships: a dry run can count it. */
export interface Method<O> extends OwnMethod<O> {
  steps: readonly string[];
  plan(options: O, given: Given): PlannedCall[];
}

/** What a method of one's own must say; the rest has a default. */
export type MethodDefinition<O> = Pick<OwnMethod<O>, 'name' | 'title' | 'options'> &
  Partial<OwnMethod<O>>;

/**
 * Describes a method of one's own: its options, and what `durable-rag methods` and a dry run tell
 * of it. Its workflow has the same name.
 */
export function defineMethod<O>(method: MethodDefinition<O>): OwnMethod<O> {
  return {
    source: 'A method of your own',
    steps: [],
    callsFormula: 'not said',
    calls: () => 0,
    figures: 'none',
    ...method,
  };
}
