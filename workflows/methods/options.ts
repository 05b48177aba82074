/** Options that several methods share. */
import { z } from 'zod';
import { ANSWER_FORMS } from '../../core/method.js';
import { nonEmpty, whole } from '../../core/options/ranges.js';
import type { Demonstration } from '../../core/vocabulary.js';

/**
 * Zod schema of the option `demonstrations`: question-answer pairs shown as examples; none by
 * default (SuRe, few-shot: 1 and 5).
 */
export const demonstrations: z.ZodType<Demonstration[]> = z
  .array(z.strictObject({ question: nonEmpty, answer: nonEmpty }))
  .max(50)
  .default([])
  .describe('question-answer pairs shown as examples (SuRe, few-shot: 0, 1 or 5)');

/**
 * Zod schema of the option `demonstrations` of methods that reason: questions with their chains of
 * thought, shown as examples; none by default.
 */
export const thoughtDemonstrations = z
  .array(
    z.strictObject({
      question: nonEmpty,
      thoughts: z.array(nonEmpty).max(20).default([]),
      answer: nonEmpty,
    }),
  )
  .max(50)
  .default([])
  .describe('questions with the thoughts that led to their answers (few-shot in the papers)');

/**
 * Zod schema of the option N, the number of passages retrieved, for methods that need at least one;
 * 10 by default.
 */
export const passageCount = whole(1, 200)
  .default(10)
  .describe('N, passages retrieved (SuRe 4.1: 10)');

/**
 * Zod schema of the option N, the number of passages retrieved, for methods that can answer without
 * any; 10 by default.
 */
export const optionalPassageCount = whole(0, 200)
  .default(10)
  .describe('N, passages retrieved (SuRe 4.1: 10); 0 does without retrieval');

/** Maximum number of candidates, since each is marked with a letter. */
const MOST_CANDIDATES = 26;

/** Zod schema of the option K, the number of answer candidates to ask for; 2 by default. */
export const candidateCount = whole(2, MOST_CANDIDATES)
  .default(2)
  .describe('K, answer candidates asked for (SuRe 4.1: 2)');

/**
 * Zod schema of the option k, the number of passages read of a larger set that was retrieved; 5 by
 * default.
 */
export const readCount = whole(1, 50).default(5).describe('k, passages read (LLatrieval 4.1: 5)');

/**
 * Zod schema of the option N, the number of passages retrieved, for methods that read only some of
 * them; 50 by default.
 */
export const candidatePassages = whole(1, 200)
  .default(50)
  .describe('N, passages retrieved to choose from (LLatrieval 4.1: 50)');

/**
 * Zod schema of the option for the form of an answer that is read from passages: 'short', 'prose'
 * or 'list'; 'short' by default.
 */
export const answerForm = z
  .enum(ANSWER_FORMS)
  .default('short')
  .describe(
    'at most 3 words (SuRe A.5), or sentences or a list that cite the passages (LLatrieval 4.1)',
  );

/** Functions that return why an option's value conflicts with others, or false, by option. */
type Refusals<O> = { [N in keyof O]?: (chosen: O) => string | false };

/**
 * Returns a Zod schema for options that depend on each other. It refuses conflicting values, and
 * values without an effect unless they are the default.
 *
 * @param refused By option, a function that returns why its value conflicts with the others, or
 * false.
 * @param unread By option, a function that returns why it has no effect, as the end of a sentence
 * after "has no effect: ", or false.
 */
export function optionsOf<S extends z.core.$ZodLooseShape>(
  shape: S,
  { refused = {}, unread = {} }: { [R in 'refused' | 'unread']?: Refusals<Options<S>> },
) {
  const names = Object.keys(shape) as (keyof Options<S> & string)[];
  return z.strictObject(shape).superRefine((chosen, { addIssue }) => {
    for (const name of names) {
      const isSet = !isDefault(shape[name], chosen[name]);
      const idle = isSet && unread[name]?.(chosen);
      const message = refused[name]?.(chosen) || (idle && `has no effect: ${idle}`);
      if (message) addIssue({ code: 'custom', path: [name], message });
    }
  });
}

type Options<S extends z.core.$ZodLooseShape> = z.output<z.ZodObject<S, z.core.$strict>>;

function isDefault(schema: z.core.$ZodType | undefined, value: unknown): boolean {
  const { defaultValue } = (schema?._zod.def ?? {}) as { defaultValue?: unknown };
  return JSON.stringify(value) === JSON.stringify(defaultValue);
}
