/** Draws demonstrations from training questions by a seed. Pure. */
import type { DatasetRecord } from '../core/dataset-record.js';
import { inHashOrder } from './dataset/hash-order-sample.js';

/** The number of demonstrations to draw, and the seed of the draw. */
export interface DrawOptions {
  count: number;
  seed: number;
}

/**
 * A question of a training set with its accepted answers and, for methods that show them, the
 * thoughts that lead to the answer. Demonstrations are drawn from such questions.
 */
export interface TrainingQuestion extends DatasetRecord {
  /**
   * Thoughts that lead to its answer. Undefined if demonstrations show none; a question with an
   * empty list is not drawn.
   */
  thoughts?: string[];
}

/**
 * A drawn demonstration: a question with its answer, and the thoughts and passages that a method
 * may show.
 */
interface DrawnDemonstration {
  question: string;
  answer: string;
  /** Thoughts that lead to the answer; empty if none are shown. */
  thoughts: string[];
  /** Its gold passages; if it has none, the first five of its passages. */
  passages: { title: string; text: string }[];
}

/** Maximum number of passages of a demonstration without gold passages. */
const MOST_PASSAGES = 5;

/**
 * Draws `count` demonstrations from questions, and returns them as an array of objects with
 * `question`, `answer`, `thoughts` and `passages` (gold ones, else the first five); fewer if fewer
 * questions have an answer and, if they come with thoughts, at least one thought. The seed and the
 * ids decide which are drawn, and their order. A smaller draw with the same seed is the beginning
 * of a larger one. At most `2 * count` demonstrations are in memory.
 *
 * @example
 * const shown = await drawDemonstrations(readDataset('nq-train.jsonl'), { count: 5, seed: 1 });
 */
export async function drawDemonstrations(
  questions: AsyncIterable<TrainingQuestion>,
  { count, seed }: DrawOptions,
): Promise<DrawnDemonstration[]> {
  let lowest: (DrawnDemonstration & { id: string })[] = [];
  const cut = () => {
    lowest = inHashOrder(lowest, `demonstrations:${seed}`).slice(0, count);
  };
  for await (const record of questions) {
    const shown = demonstrationOf(record);
    if (shown) lowest.push({ id: record.id, ...shown });
    if (lowest.length >= 2 * count) cut();
  }
  cut();
  return lowest.map(({ id: _, ...shown }) => shown);
}

function demonstrationOf({
  question,
  answers,
  longAnswers,
  passages = [],
  thoughts,
}: TrainingQuestion): DrawnDemonstration | undefined {
  const answer = longAnswers?.[0] ?? answers[0];
  if (answer === undefined || thoughts?.length === 0) return undefined;
  const gold = passages.filter(({ isGold }) => isGold);
  const shown = gold.length > 0 ? gold : passages.slice(0, MOST_PASSAGES);
  return {
    question,
    answer,
    thoughts: thoughts ?? [],
    passages: shown.map(({ title, text }) => ({ title, text })),
  };
}
