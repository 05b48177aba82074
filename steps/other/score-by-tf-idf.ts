/** The weights of Rerank's votes: how well each passage fits the question by TF-IDF (SuRe 4.1). */
import { declareStep } from '../define.js';

export interface ScoreByTfIdfInput {
  query: string;
  /** Ids. */
  passages: string[];
}

/** A score from 0 to 1 for each passage. */
export const scoreByTfIdf = declareStep<ScoreByTfIdfInput, number[]>(
  ({ passages }) => `${passages.length} passages`,
);
