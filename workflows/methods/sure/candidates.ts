/**
 * Finds the answer candidates of SuRe and of its variants. A file of its own, because a method has
 * the steps that the modules it imports from can ask.
 */
import { type Conclusion, concluded } from '../../../core/result.js';
import type { Demonstration } from '../../../core/vocabulary.js';
import type { Question } from '../../algorithm.js';

interface CandidateOptions {
  passages: number;
  candidates: number;
  demonstrations: Demonstration[];
  /** Short by default. */
  answerForm?: 'short' | 'prose';
}

/**
 * Retrieves passages and generates answer candidates from them (SuRe, algorithm 1, line 2).
 * Returns the passages as `retrieved`, their ids as `passages`, and the texts of the candidates as
 * `candidates`. Flags fewer candidates than asked for.
 */
export async function findCandidates(asked: Question<CandidateOptions>) {
  const { question, options, step } = asked;
  const retrieved = await step.retrieve({ query: question, count: options.passages });
  const passages = retrieved.map(({ id }) => id);
  const candidates = await nameCandidates(asked, passages, options);
  return { retrieved, passages, candidates };
}

/**
 * Asks for answer candidates from passages, and returns their texts. Flags fewer candidates than
 * asked for.
 *
 * @param passages Ids.
 */
export async function nameCandidates(
  { question, step, flag }: Omit<Question<unknown>, 'options'>,
  passages: string[],
  { candidates: count, demonstrations, answerForm }: Omit<CandidateOptions, 'passages'>,
): Promise<string[]> {
  const candidates = await step.generateCandidates({
    question,
    passages,
    count,
    demonstrations,
    ...(answerForm === 'prose' && { long: true }),
  });
  if (candidates.length < count) {
    flag('fewerCandidates', 'generateCandidates', `${candidates.length} of ${count}`);
  }
  return candidates;
}

/**
 * Returns the conclusion if there are fewer than two candidates to choose from: a single candidate
 * is the answer, unless it says that the answer is unknown; without any, the outcome is unreadable.
 * Undefined if there are two candidates or more.
 */
export function withoutChoice<C>(
  candidates: readonly string[],
  evidence: string[],
  chain: C,
): Conclusion<C> | undefined {
  const [only, another] = candidates;
  if (another !== undefined) return undefined;
  return concluded(only ?? null, evidence, chain);
}
