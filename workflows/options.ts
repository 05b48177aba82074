/** Options that several methods have. */
import { z } from 'zod';
import { whole } from '../core/options/ranges.js';
import type { Demonstration } from '../core/vocabulary.js';

/** Question-answer pairs shown as examples (SuRe, few-shot results: 1 and 5). */
export const demonstrations: z.ZodType<Demonstration[]> = z
  .array(z.strictObject({ question: z.string().min(1), answer: z.string().min(1) }))
  .max(50)
  .default([])
  .describe('question-answer pairs shown as examples (SuRe, few-shot: 0, 1 or 5)');

/** N of the methods that do not answer without passages. */
export const passageCount = whole(1, 200)
  .default(10)
  .describe('N, passages retrieved (SuRe 4.1: 10)');

/** N of the methods that can answer without passages. */
export const optionalPassageCount = whole(0, 200)
  .default(10)
  .describe('N, passages retrieved (SuRe 4.1: 10); 0 does without retrieval');

/** One candidate for each letter that can mark it. */
export const MOST_CANDIDATES = 26;

/** K of the methods that choose among candidates. */
export const candidateCount = whole(2, MOST_CANDIDATES)
  .default(2)
  .describe('K, answer candidates asked for (SuRe 4.1: 2)');

/** k of the methods that choose what they read from more passages. */
export const readCount = whole(1, 50).default(5).describe('k, passages read (LLatrieval 4.1: 5)');

/** N of the methods that choose what they read from more passages. */
export const candidatePassages = whole(1, 200)
  .default(50)
  .describe('N, passages retrieved to choose from (LLatrieval 4.1: 50)');

/** The form of an answer read from passages. */
export const answerForm = z
  .enum(['short', 'prose', 'list'])
  .default('short')
  .describe(
    'at most 3 words (SuRe A.5), or sentences or a list that cite the passages (LLatrieval 4.1)',
  );

export type AnswerForm = z.output<typeof answerForm>;

/** Names of options, and whether what is chosen leaves them unread. */
interface Unread<O> {
  names: readonly (keyof O & string)[];
  when(chosen: O): boolean;
  /** Goes on after the name of the option. */
  because: string;
}

/**
 * Returns a check for a schema of options: an option that differs from its default and is not read
 * is refused, because whoever set it expects it to change something.
 */
export function withoutEffect<O extends object>(
  shape: Readonly<Record<string, z.core.$ZodType>>,
  rules: readonly Unread<O>[],
): (chosen: O, context: z.core.$RefinementCtx<O>) => void {
  return (chosen, context) => {
    for (const { names, when, because } of rules) {
      if (!when(chosen)) continue;
      for (const name of names) {
        if (isDefault(shape[name], chosen[name])) continue;
        context.addIssue({ code: 'custom', path: [name], message: `has no effect: ${because}` });
      }
    }
  };
}

function isDefault(schema: z.core.$ZodType | undefined, value: unknown): boolean {
  const { defaultValue } = (schema?._zod.def ?? {}) as { defaultValue?: unknown };
  return JSON.stringify(value) === JSON.stringify(defaultValue);
}
