/** What a metric is: where its score comes from, what it applies to, and how it is shown. Pure. */

import type { DatasetRecord, GoldPassage } from './dataset-record.js';
import type { Outcome } from './result.js';
import type { Passage } from './vocabulary.js';

/** A question of a run, as its data set has it. */
export type ScoredQuestion = Omit<DatasetRecord, 'passages'> & {
  /** The passages that its data set marks as gold. */
  gold?: readonly GoldPassage[];
};

/** An answer that a metric scores, with its question and what it was read from. */
export interface ScoredAnswer {
  question: ScoredQuestion;
  answer: string;
  /**
   * With their texts: what the method has read, best first, then the documents it has generated,
   * which have no id. Reading this field throws where the passages are no longer there.
   */
  readonly passages: readonly Passage[];
  /** Everything that led to the answer, by method. */
  chain: unknown;
  /**
   * The calls of the steps, in order, with what each gave. Reading this field throws if they were not
   * kept.
   */
  readonly calls: readonly KeptCall[];
}

/** A call of a question: its step, its line for people, and what it gave. */
export interface KeptCall {
  step: string;
  label: string;
  /** Left out if the call failed. */
  output?: unknown;
}

/** A question that has not failed, with how its method came to its end. */
export interface EndedQuestion extends Omit<ScoredAnswer, 'answer'> {
  outcome: Exclude<Outcome, 'failed'>;
  /** Null unless the outcome is answered. */
  answer: string | null;
  /** How sure the method is, from 0 to 1, if it has such a number. */
  confidence?: number | undefined;
}

/** The lowest and the highest value that there can be. */
export interface Range {
  from: number;
  to: number;
}

interface AnyMetric {
  /** As scores, exports and `metrics` of a run name it: letters, digits, "_" and "-". */
  name: string;
  /** As tables and reports name it. */
  title: string;
  /**
   * Whether it stands for a run: shown live, and used to compare runs.
   *
   * @default true
   */
  headline?: boolean;
  /**
   * The metric with the lowest number is a question's main one, and decides whether its answer
   * counts as right (half of the scale or more); false: never.
   *
   * @default after all that have a number, in the order of the metrics
   */
  decides?: number | false;
  /**
   * The name of the metric that compares answers of different forms (short, prose, list), if this one
   * does not; false if none does. Nothing is concluded from this one about methods whose answers
   * differ in form.
   *
   * @default this one compares them
   */
  acrossForms?: string | false;
  /**
   * Whether it applies to a question, whatever the answer. A question without an answer scores 0 in
   * each metric that applies to it.
   *
   * @default to every question
   */
  applies?(question: ScoredQuestion): boolean;
}

/** A metric that is computed from an answer. */
export interface Scorer extends AnyMetric {
  from?: 'answer';
  /**
   * Returns the score of an answer, from 0 to 1; true is 1 and false 0; undefined where it does not
   * apply to the answer. Pure: the same answer has the same score. Where it throws the answer is
   * kept, and has no score in this metric; the run says so.
   */
  score(answered: ScoredAnswer): number | boolean | undefined;
  /** The score of a question that ended without an answer. @default 0 */
  unanswered?(question: ScoredQuestion, outcome: Exclude<Outcome, 'answered'>): number;
}

/** How a judge answers a rubric: yes is 1 and no 0; a number is placed between the ends. */
export type RubricScale = 'yesNo' | { from: number; to: number };

/** A metric that the judge of a run tells, in one call an answer. */
export interface Rubric extends AnyMetric {
  from: 'rubric';
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

/** A statement of an answer, whose citations are judged by themselves. */
export interface Statement {
  /** What is claimed, without its citations. */
  claim: string;
  /**
   * Positions of the cited passages, from 0, in the order of the text, repeats included. Empty
   * when there is no citation, and when one of them names a passage that does not exist.
   */
  cited: number[];
  /** The numbers cited for which there is no passage; left out where there is none. */
  missing?: number[];
}

/** What the judge found about a statement. Goes as JSON. */
export interface StatementVerdict extends Statement {
  /** The cited passages together entail the claim. */
  supported: boolean;
  /** For each citation whether it is needed: never where the statement is not supported. */
  needed: boolean[];
}

/** A reference claim, and whether the answer entails it. */
export interface ClaimVerdict {
  claim: string;
  entailed: boolean;
}

/** A metric of answers that cite, from what the judge of a run found about their statements. */
export interface CitationMetric extends AnyMetric {
  from: 'citations';
  /** From 0 to 1. */
  score(statements: readonly StatementVerdict[]): number;
}

/** A metric of questions with reference claims, from what the judge of a run found about them. */
export interface ClaimMetric extends AnyMetric {
  from: 'claims';
  /** From 0 to 1. @param claims One or more. */
  score(claims: readonly ClaimVerdict[]): number;
}

/** How much of the accepted answers the passages hold that a method has read. */
export interface PassageScores {
  /** Whether each passage contains an answer, best passage first. */
  hits: boolean[];
  /** Recall@k by k. */
  recall: Record<number, number>;
  /** Answers found in any of the passages, and answers there are. */
  coverage: { found: number; answers: number };
}

/** Which of the passages that a method has read are gold. */
export interface GoldScores {
  /** By rank the grade of each passage that was read; 0 for one that is not gold. */
  grades: number[];
  /** The grades of all gold passages. */
  all: number[];
  /** The titles of gold passages that were read, of all of them; left out if some have no title. */
  documents?: Part;
}

/** What is known of the passages that were read for a question. */
export interface FoundPassages {
  /** Left out if containment says nothing, as of yes and no. */
  answers?: PassageScores | undefined;
  /** Left out if no passage is marked as gold. */
  gold?: GoldScores | undefined;
}

/** A question's part of both sums of a ratio. */
export interface Part {
  part: number;
  /** More than 0. */
  whole: number;
}

/** A metric of what was read, whatever the answer: over a run, sums over sums. */
export interface PassageMetric extends AnyMetric {
  from: 'passages';
  /** Whether it needs a data set that marks gold passages. */
  needsGold?: true;
  /** Returns the share; undefined where it does not apply. */
  share(found: FoundPassages): Part | undefined;
}

/**
 * A metric of how a question came to its end, whatever its answer. Of questions that failed it says
 * nothing, so they are left out. More of it is called neither better nor worse.
 */
export interface ChainMetric extends AnyMetric {
  from: 'chain';
  /** The values that there can be. @default from 0 to 1, shown in per cent */
  range?: Range;
  /**
   * Returns the value, true as 1 and false as 0; a part of a whole if a mean is the sum of the parts
   * over the sum of the wholes; undefined if the metric does not apply. Pure.
   */
  value(ended: EndedQuestion): number | boolean | Part | undefined;
}

/** A metric that needs a judge. */
export type JudgedMetric = Rubric | CitationMetric | ClaimMetric;

export type Metric = Scorer | JudgedMetric | ChainMetric | PassageMetric;

/** A metric of your own; one that scores an answer by its passages is a scorer. */
export type OwnMetric = Scorer | JudgedMetric | ChainMetric;

/** Passages that a judge is shown at most. */
export const MOST_SHOWN = 20;

/**
 * Declares a metric with its types. It is scored for every answer of a run and is in all tables.
 *
 * @example defineMetric({ name: 'short', title: 'Short', score: ({ answer }) => answer.length < 80 })
 */
export function defineMetric(metric: Scorer): Scorer;
export function defineMetric(metric: Rubric): Rubric;
export function defineMetric(metric: CitationMetric): CitationMetric;
export function defineMetric(metric: ClaimMetric): ClaimMetric;
export function defineMetric(metric: ChainMetric): ChainMetric;
export function defineMetric(metric: PassageMetric): PassageMetric;
export function defineMetric(metric: Metric): Metric {
  return metric;
}

export function isScorer(metric: Metric): metric is Scorer {
  return metric.from === undefined || metric.from === 'answer';
}

export function isRubric(metric: Metric): metric is Rubric {
  return metric.from === 'rubric';
}

/** Tells whether it is a metric that the judge of a run tells. */
export function isJudged(metric: Metric): metric is JudgedMetric {
  return metric.from === 'rubric' || metric.from === 'citations' || metric.from === 'claims';
}

/** Returns a value of a range as a share of it, from 0 to 1. */
export function shareOf(value: number, { from, to }: Range = SHARES): number {
  return (value - from) / (to - from);
}

/** Returns the value of a range that a share of it stands for. */
export function valueFrom(share: number, { from, to }: Range = SHARES): number {
  return from + share * (to - from);
}

const SHARES: Range = { from: 0, to: 1 };
