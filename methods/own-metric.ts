/** Metrics of somebody's own: a scorer, or a rubric that the judge of a run reads. Types, and what gives them. */

import type { DatasetRecord } from '../evaluation/dataset/record.js';
import type { Passage } from './vocabulary.js';

/** A question of a run, as its data set has it. */
export type ScoredQuestion = Omit<DatasetRecord, 'passages'>;

/** What a scorer is given of an answer. */
export interface ScoredAnswer {
  question: ScoredQuestion;
  answer: string;
  /**
   * With their texts: what the method has read, best first, then the documents it has generated,
   * which have no id. Reading this field throws where the passages are no longer there.
   */
  readonly passages: readonly Passage[];
  /** Everything that led to the answer, in the form of the method's. */
  chain: unknown;
}

interface AnyMetric {
  /** As scores, exports and `metrics` of a run name it: letters, digits, "_" and "-". */
  name: string;
  /** As tables and reports name it. */
  title: string;
  /**
   * Whether it is one of the few that stand for a run: shown live, and what runs are compared by.
   *
   * @default true
   */
  headline?: boolean;
  /**
   * Whether it applies to a question, whatever the answer. A question without an answer scores 0 in
   * each metric that applies to it.
   *
   * @default to every question
   */
  applies?(question: ScoredQuestion): boolean;
}

/** A metric that is computed. */
export interface Scorer extends AnyMetric {
  /**
   * The score of an answer, from 0 to 1; true is 1 and false 0; undefined where it does not apply to
   * the answer. Pure: the same answer has the same score. Where it throws the answer is kept, and has
   * no score in this metric; the run says so.
   */
  score(answered: ScoredAnswer): number | boolean | undefined;
}

/** How a judge answers a rubric: yes is 1 and no 0; a number is placed between the ends. */
export type RubricScale = 'yesNo' | { from: number; to: number };

/** A metric that the judge of a run tells, in one call an answer. */
export interface Rubric extends AnyMetric {
  prompt: {
    /** A prompt set overrides it by a file of this name, with `.txt` behind it. */
    name: string;
    /**
     * With {{question}}, {{answer}}, {{goldAnswers}} and {{passages}}, the first 20 of what the
     * method has read; below a line `=== again ===` what is added when it is asked again.
     */
    text: string;
  };
  scale: RubricScale;
  /** Tokens the reply may take. @default 64 */
  maxTokens?: number;
}

/** Passages that a judge is shown at most. */
export const MOST_SHOWN = 20;

export type OwnMetric = Scorer | Rubric;

export function isRubric(metric: OwnMetric): metric is Rubric {
  return 'prompt' in metric;
}

/**
 * Gives a metric of one's own its types. It is scored for every answer of a run, and is in all that
 * the built-in ones are in.
 *
 * @example defineMetric({ name: 'short', title: 'Short', score: ({ answer }) => answer.length < 80 })
 */
export function defineMetric(metric: Scorer): Scorer {
  return metric;
}

/** The same for one that the judge of a run tells. */
export function defineRubric(rubric: Rubric): Rubric {
  return rubric;
}
