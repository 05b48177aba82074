/** Questions with made-up answers, the corpus that tells them, and prices of the scripted reader. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buildCorpus, questions, writer } from '../speed/corpus.js';

/** US dollars a million tokens. */
export const PRICE = { prompt: 0.15, cachedPrompt: 0.075, completion: 0.6 };

const SEED = 11;

/**
 * Writes the questions, their corpus and a file of prices.
 *
 * @param isTold Whether a passage tells the answer of the question at this place, from 0.
 * @returns The file of the questions, its lines, and the environment in which the prices hold.
 */
export async function writeQuestions(
  folder: string,
  count: number,
  prices: Record<string, typeof PRICE>,
  isTold: (at: number) => boolean = () => true,
): Promise<{ file: string; lines: string[]; env: NodeJS.ProcessEnv }> {
  const [more, { words }] = [questions(SEED), writer(SEED + 1)];
  // No two questions have the same answer.
  const asked = Array.from({ length: count }, () => ({
    question: more.next().value,
    answers: [words(2)],
  }));
  const file = path.join(folder, 'questions.jsonl');
  const lines = asked.map((one, n) => JSON.stringify({ id: `${n}`, ...one }));
  await writeFile(file, lines.join('\n'));
  const told = asked.flatMap(({ question, answers: [answer] }, n) =>
    isTold(n) ? [`${question.slice('Who wrote '.length, -1)} ${answer} wrote it.`] : [],
  );
  await buildCorpus(folder, path.join(folder, 'corpora'), SEED, told);
  const priced = path.join(folder, 'prices.json');
  await writeFile(priced, JSON.stringify(prices));
  return { file, lines, env: { DURABLE_RAG_PRICES: priced } };
}
