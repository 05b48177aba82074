/** Reads the questions of a job page by page. */
import type { QuestionPage } from '../../workflows/activities/run.js';

/** So that the history of a window over one page stays far below what Temporal allows. */
const MOST_QUESTIONS = 300;
const MOST_BYTES = 500_000;

/**
 * Takes questions until the page is full.
 *
 * @param from The place that `questions` begin at.
 * @param take What the page holds of a question at its place; undefined passes it over.
 */
export async function readPage<Q, P>(
  questions: AsyncIterable<{ question: Q; next: number }>,
  from: number,
  take: (question: Q, at: number) => Promise<P | undefined>,
): Promise<QuestionPage<P>> {
  const page: P[] = [];
  let bytes = 0;
  let at = from;
  for await (const { question, next } of questions) {
    if (page.length === MOST_QUESTIONS || bytes > MOST_BYTES) return { questions: page, next: at };
    const taken = await take(question, at);
    if (taken !== undefined) {
      page.push(taken);
      bytes += Buffer.byteLength(JSON.stringify(taken));
    }
    at = next;
  }
  return { questions: page, next: null };
}
