/** The weights of Rerank's votes: how well each passage fits the question by TF-IDF (SuRe 4.1). */

import { tfIdfScores } from '../../retrieval/tf-idf.js';
import type { ScoreByTfIdfInput } from '../../steps/other/score-by-tf-idf.js';
import type { ScoreByTfIdfActivity } from '../../workflows/activities/question.js';
import type { Ports } from '../runtime/ports.js';
import { providerCall } from '../runtime/provider-call.js';
import { readPassages } from '../runtime/render-prompt.js';

/** Makes the activity: a score from 0 to 1 for each passage, title and text taken together. */
export function scoreByTfIdfActivity(ports: Ports): ScoreByTfIdfActivity {
  return (input, corpus, bounds) => providerCall(bounds, () => tfIdfWeights(input, corpus, ports));
}

/** Reads the passages and scores them. */
export async function tfIdfWeights(
  { query, passages }: ScoreByTfIdfInput,
  corpus: string | null,
  ports: Pick<Ports, 'corpora' | 'passages'>,
): Promise<number[]> {
  const found = await readPassages(passages, corpus, ports);
  const scores = tfIdfScores(
    query,
    found.map(({ title, text }) => `${title}\n${text}`),
  );
  // Seven digits are plenty for a weight, and stay in histories.
  return scores.map((score) => Number(score.toPrecision(7)));
}
