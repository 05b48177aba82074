/** What the project knows of a method besides its workflow. */
import type { z } from 'zod';
import type { Given, PlannedCall } from './planned-call.js';

export interface Method<O> {
  /** The workflow's type name. */
  name: string;
  title: string;
  /** Paper and section. */
  source: string;
  options: z.ZodType<O>;
  /** The steps that ask a language model, whatever the options: `models` can name them. */
  steps: readonly string[];
  /** True where the method searches nothing, whatever its options. */
  memoryOnly?: true;
  /** Model calls of one question, as a formula over the options. */
  callsFormula: string;
  /** The same formula, computed. */
  calls(options: O): number;
  /** Every step that one question takes at most, in any order: what a dry run counts. */
  plan(options: O, given: Given): PlannedCall[];
  /** What the paper reports. */
  figures: string;
}
