import { answered, type Conclusion, unanswered } from '../../core/result.js';

/**
 * Concludes a question that has nothing to choose from: a single candidate is the answer; with
 * none, the model's output could not be read.
 *
 * @returns undefined when there are two candidates or more.
 */
export function withoutChoice<C>(
  candidates: readonly string[],
  evidence: string[],
  chain: C,
): Conclusion<C> | undefined {
  const [only, another] = candidates;
  if (another !== undefined) return undefined;
  return only === undefined
    ? unanswered('unreadable', evidence, chain)
    : answered(only, evidence, chain);
}
