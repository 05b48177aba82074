/** Draws demonstrations from training questions by a seed. Pure. */
import type { DatasetRecord } from '../core/dataset-record.js';
import { inHashOrder } from './dataset/hash-order-sample.js';

/** How demonstrations are drawn: the same questions and seed give the same ones. */
export interface Drawing {
  count: number;
  seed: number;
}

/** A question that a demonstration can be made of. */
export interface TrainingQuestion extends DatasetRecord {
  /** The thoughts that lead to its answer; without any it is not drawn. Left out if none are shown. */
  thoughts?: string[];
}

/** All that a demonstration of a method can show of a question. */
interface DrawnDemonstration {
  question: string;
  answer: string;
  /** Empty if none are shown. */
  thoughts: string[];
  /** Its gold passages, else the first five that came with it. */
  passages: { title: string; text: string }[];
}

/** Passages of a demonstration at most, if none is gold. */
const MOST_PASSAGES = 5;

/**
 * Returns as many demonstrations as asked for, or as there are questions with an answer, in an order
 * that the seed and the ids of the questions decide. More of the same seed begin with the fewer.
 *
 * Memory: twice what is drawn.
 *
 * @example const shown = await drawDemonstrations(readDataset('nq-train.jsonl'), { count: 5, seed: 1 })
 */
export async function drawDemonstrations(
  questions: AsyncIterable<TrainingQuestion>,
  { count, seed }: Drawing,
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
