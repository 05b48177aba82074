/** Zero-shot chain of thought: reasoning, then an answer (SuRe 4.1, Kojima et al. 2022). */
import { declareStep } from '../define.js';

export interface ReasonInput {
  question: string;
  /** Ids, in the order shown; none to reason without retrieval. */
  passages: string[];
  /** To draw one of several samples; greedy when left out. */
  sample?: { k: number; temperature: number };
}

export interface Reasoned {
  reasoning: string;
  answer: string;
}

/** Null when the output stayed unreadable. */
export const reason = declareStep<ReasonInput, Reasoned | null>(
  ({ passages, sample }) =>
    `${sample ? `sample ${sample.k + 1}, ` : ''}${passages.length} passages`,
);
