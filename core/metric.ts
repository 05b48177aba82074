/** What a metric is: where its score comes from, when it applies, and how it is shown. Pure. */

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
   * The passages that the method read, with their texts, best first; then the documents it
   * generated, which have no id. Throws if the passages no longer exist.
   */
  readonly passages: readonly Passage[];
  /** Everything that led to the answer; its type depends on the method. */
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
  /** Name in scores, exports and `metrics` of a run: letters, digits, "_" and "-". */
  name: string;
  /** Name in tables and reports. */
  title: string;
  /**
   * Whether it represents a run: shown live, and used to compare runs.
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
   * Name of the metric that compares answers of different forms (short, prose, list), if this one
   * cannot; false if none can. This metric then compares no methods whose answers differ in form.
   *
   * @default this one compares them
   */
  acrossForms?: string | false;
  /**
   * Tells whether it applies to a question, whatever the answer. A question without an answer
   * scores 0 in each metric that applies to it.
   *
   * @default to every question
   */
  applies?(question: ScoredQuestion): boolean;
}

/** A metric that is computed from an answer. */
export interface Scorer extends AnyMetric {
  from?: 'answer';
  /**
   * Returns the score of an answer, from 0 to 1; true is 1 and false 0; undefined if it does not
   * apply to the answer. Pure: the same answer has the same score. If it throws, the answer is kept
   * without a score in this metric, and the run reports it.
   */
  score(answered: ScoredAnswer): number | boolean | undefined;
  /** Returns the score of a question that ended without an answer. @default 0 */
  unanswered?(question: ScoredQuestion, outcome: Exclude<Outcome, 'answered'>): number;
}

/** Scale of a rubric: yes is 1 and no 0; a number is placed between the ends. */
export type RubricScale = 'yesNo' | { from: number; to: number };

/** A metric that the judge of a run decides, with one call for each answer. */
export interface Rubric extends AnyMetric {
  from: 'rubric';
  prompt: {
    /** Name of the file, without `.txt`, by which a prompt set can override it. */
    name: string;
    /**
     * The prompt, with {{question}}, {{answer}}, {{goldAnswers}} and {{passages}} (the first 20
     * that the method read). Text below a line `=== again ===` is added when it is asked again.
     */
    text: string;
  };
  scale: RubricScale;
  /** Most tokens of the reply. @default 64 */
  maxTokens?: number;
}

/** A statement of an answer, whose citations are judged separately. */
export interface Statement {
  /** The claim, without its citations. */
  claim: string;
  /**
   * Positions of the cited passages, from 0, in the order of the text, repeats included. Empty if
   * there is no citation, or if one names a passage that does not exist.
   */
  cited: number[];
  /** Cited numbers without a passage; absent if there are none. */
  missing?: number[];
}

/** The judge's verdict on a statement. JSON-safe. */
export interface StatementVerdict extends Statement {
  /** Whether the cited passages together entail the claim. */
  supported: boolean;
  /** For each citation, whether it is needed; always false for an unsupported statement. */
  needed: boolean[];
}

/** A reference claim, and whether the answer entails it. */
export interface ClaimVerdict {
  claim: string;
  entailed: boolean;
}

/** A metric of answers that cite, computed from the judge's verdicts on their statements. */
export interface CitationMetric extends AnyMetric {
  from: 'citations';
  /** Returns a score from 0 to 1. */
  score(statements: readonly StatementVerdict[]): number;
}

/** A metric of questions with reference claims, computed from the judge's verdicts on them. */
export interface ClaimMetric extends AnyMetric {
  from: 'claims';
  /** Returns a score from 0 to 1. @param claims One or more. */
  score(claims: readonly ClaimVerdict[]): number;
}

/** How many of the accepted answers are contained in the passages that a method read. */
export interface PassageScores {
  /** Whether each passage contains an answer, best passage first. */
  hits: boolean[];
  /** Recall@k, by k. */
  recall: Record<number, number>;
  /** Answers found in any of the passages, and all answers. */
  coverage: { found: number; answers: number };
}

/** Grades of the gold passages among those that a method read. */
export interface GoldScores {
  /** Grade of each passage that was read, by rank; 0 for one that is not gold. */
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

/** What one question adds to both sums of a ratio, whose quotient is the metric's value. */
export interface Part {
  /** Numerator. */
  part: number;
  /** Denominator, more than 0. */
  whole: number;
}

/** A metric of the passages read, independent of the answer; over a run it is a ratio of sums. */
export interface PassageMetric extends AnyMetric {
  from: 'passages';
  /** Whether it needs a data set that marks gold passages. */
  needsGold?: true;
  /** Returns the ratio; undefined if it does not apply. */
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

/** A metric: of an answer, of the chain or of the passages, by code or by a judge. */
export type Metric = Scorer | JudgedMetric | ChainMetric | PassageMetric;

/** A metric of your own; one that scores an answer by its passages is a scorer. */
export type OwnMetric = Scorer | JudgedMetric | ChainMetric;

/** Most passages that a judge is shown. */
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
