/** The weights of Rerank's votes: how well each passage fits the question by TF-IDF (SuRe 4.1). */
import { tfIdfScores } from '../../retrieval/tf-idf.js';
import type { ScoreByTfIdfInput } from '../../steps/other/score-by-tf-idf.js';
import type { Ports } from '../runtime/ports.js';
import { type CallBounds, providerCall } from '../runtime/provider-call.js';
import { readPassages } from '../runtime/render-prompt.js';

export type ScoreByTfIdfActivity = (
  input: ScoreByTfIdfInput,
  /** Null when the passages came with the question. */
  corpus: string | null,
  bounds: CallBounds,
) => Promise<number[]>;

/** Makes the activity: a score from 0 to 1 for each passage, title and text taken together. */
export function scoreByTfIdfActivity(ports: Ports): ScoreByTfIdfActivity {
  return ({ query, passages }, corpus, bounds) =>
    providerCall(bounds, async () => {
      const found = await readPassages(passages, corpus, ports);
      const scores = tfIdfScores(
        query,
        found.map(({ title, text }) => `${title}\n${text}`),
      );
      // Seven digits are plenty for a weight, and stay in histories.
      return scores.map((score) => Number(score.toPrecision(7)));
    });
}
