import type { QuestionFailure } from '../result.js';

/**
 * The number of questions of a run that failed in the same step with the same failure type, and
 * the message of the first of them.
 */
export interface FailureCount {
  /** Type of the failure. */
  type: string;
  /** Name of the step that failed; null if no step did. */
  step: string | null;
  /** Number of failed questions. */
  questions: number;
  /** Message of the first of them. */
  example: string;
}

/** Maximum number of counts, so that the state of long runs stays small. */
const MOST_KINDS = 30;
const LONGEST_EXAMPLE = 400;

/**
 * Returns the counts with another failed question added, the most frequent first. Beyond 30 counts,
 * questions with a new step or type are not counted.
 */
export function addFailure(
  counts: readonly FailureCount[],
  { type, step, message }: QuestionFailure,
): FailureCount[] {
  const isSame = (one: FailureCount) => one.type === type && one.step === step;
  const known = counts.find(isSame);
  if (!known && counts.length >= MOST_KINDS) return [...counts];
  const counted = {
    ...(known ?? { type, step, example: message.slice(0, LONGEST_EXAMPLE) }),
    questions: (known?.questions ?? 0) + 1,
  };
  const others = counts.filter((one) => !isSame(one));
  return [...others, counted].sort((a, b) => b.questions - a.questions);
}
