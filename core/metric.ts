/**
 * Declarations of metrics: what a score is computed from, when it applies, and how it is shown.
 * Pure.
 */

import type { DatasetRecord, GoldPassage } from './dataset-record.js';
import type { Outcome } from './result.js';
import type { Passage } from './vocabulary.js';

/**
 * A question of a data set with its accepted answers, as metrics receive it: without its own
 * passages.
 */
export type ScoredQuestion = Omit<DatasetRecord, 'passages'> & {
  /** The passages that its data set marks as gold. */
  gold?: readonly GoldPassage[];
};

/**
 * An answer to be scored, with its question, the passages read, the method's chain, and the calls
 * of the method's steps with their outputs.
 */
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
   * The calls of the steps, in order, with their outputs. Reading this field throws if none are
   * stored.
   */
  readonly calls: readonly RecordedCall[];
}

/**
 * The parts that a metric sees of one call that a step made for a question: the step's name, the
 * call's label, and the output as the step parsed it. Prompts and replies are in `RawCall`.
 */
export interface RecordedCall {
  /** Name of the step. */
  step: string;
  /** Its label in the Temporal UI. */
  label: string;
  /** Its output; left out if the call failed. */
  output?: unknown;
}

/**
 * A question that did not fail, with its outcome, its answer (null if there is none), the passages
 * read, the method's chain and calls, its confidence and its number of searches.
 */
export interface EndedQuestion extends Omit<ScoredAnswer, 'answer'> {
  outcome: Exclude<Outcome, 'failed'>;
  /** Null unless the outcome is answered. */
  answer: string | null;
  /** The method's confidence from 0 to 1; undefined if it has none. */
  confidence?: number | undefined;
  /** Number of searches for the question. */
  searches: number;
}

/** The lowest (`from`) and the highest (`to`) possible value of a metric, both included. */
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
   * Rank among the metrics of a question: the one with the lowest number is its main metric, and
   * decides whether an answer counts as correct (half of the scale or more). False if this metric
   * never is.
   *
   * @default after all metrics with a number, in the order of the metrics
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
   * Returns whether it applies to a question, regardless of the answer. A question without an
   * answer scores 0 in each metric that applies to it.
   *
   * @default to every question
   */
  applies?(question: ScoredQuestion): boolean;
}

/**
 * The declaration of a metric with a function that computes its score, from 0 to 1, from an
 * answer.
 */
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

/**
 * The scale of a rubric's verdicts: yes or no (scored 1 or 0), or a range of numbers, which is
 * mapped to scores from 0 to 1.
 */
export type RubricScale = 'yesNo' | { from: number; to: number };

/**
 * The declaration of a metric that a judge model decides by a prompt of its own, with one call per
 * answer.
 */
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
  /** Maximum number of tokens of the reply. @default 64 */
  maxTokens?: number;
}

/** A statement of an answer, with the positions (from 0) of the passages that it cites. */
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

/**
 * A statement with the judge's verdicts: whether the cited passages support it, and whether each
 * of them is needed. JSON-safe.
 */
export interface StatementVerdict extends Statement {
  /** Whether the cited passages together entail the claim. */
  supported: boolean;
  /**
   * Whether each citation is needed, in the order of `cited`; all false if the statement is not
   * supported.
   */
  needed: boolean[];
}

/** The judge's verdict on a reference claim: whether the answer entails it. */
export interface ClaimVerdict {
  claim: string;
  entailed: boolean;
}

/**
 * The declaration of a metric of answers that cite, with a function that computes its score, from
 * 0 to 1, from the judge's verdicts on the statements of an answer.
 */
export interface CitationMetric extends AnyMetric {
  from: 'citations';
  /** Returns a score from 0 to 1. */
  score(statements: readonly StatementVerdict[]): number;
}

/**
 * The declaration of a metric of questions with reference claims, with a function that computes
 * its score, from 0 to 1, from the judge's verdicts on the claims.
 */
export interface ClaimMetric extends AnyMetric {
  from: 'claims';
  /** Returns a score from 0 to 1. @param claims One or more. */
  score(claims: readonly ClaimVerdict[]): number;
}

/**
 * The matches of a question's accepted answers in the passages that the method read: whether each
 * passage contains one, recall@k, and how many of the answers were found.
 */
export interface PassageScores {
  /** Whether each passage contains an answer, best passage first. */
  hits: boolean[];
  /** Recall@k by k: 1 if one of the first k passages contains an answer, otherwise 0. */
  recall: Record<number, number>;
  /** Number of accepted answers found in any passage, and of all accepted answers. */
  coverage: { found: number; answers: number };
}

/**
 * The relevance grades of the passages that a method read, and of all gold passages of the
 * question, with the number of titles of gold passages that were read.
 */
export interface GoldScores {
  /** Grade of each passage that was read, by rank; 0 for one that is not gold. */
  grades: number[];
  /** The grades of all gold passages. */
  all: number[];
  /**
   * Number of distinct titles of gold passages that were read, of all their titles. Left out if a
   * gold passage has no title.
   */
  documents?: RatioPart;
}

/**
 * The scores of the passages read for one question: which of them contain an accepted answer, with
 * recall@k and the share of answers found, and the relevance grades of those that are gold.
 */
export interface FoundPassages {
  /** Left out if answers cannot be looked for in passages, such as yes and no. */
  answers?: PassageScores | undefined;
  /** Left out if no passage is marked as gold. */
  gold?: GoldScores | undefined;
}

/**
 * One question's numerator and denominator for a metric whose value over a run is the sum of the
 * numerators divided by the sum of the denominators.
 */
export interface RatioPart {
  /** Numerator. */
  part: number;
  /** Denominator, more than 0. */
  whole: number;
}

/**
 * The declaration of a metric of the passages read, regardless of the answer. Its value over a run
 * is a ratio of sums.
 */
export interface PassageMetric extends AnyMetric {
  from: 'passages';
  /** Whether it needs a data set that marks gold passages. */
  needsGold?: true;
  /** Returns the question's numerator and denominator; undefined if the metric does not apply. */
  share(found: FoundPassages): RatioPart | undefined;
}

/**
 * The declaration of a metric that describes a question's chain, regardless of its answer; a
 * higher value is neither better nor worse. Failed questions have no value.
 */
export interface ChainMetric extends AnyMetric {
  from: 'chain';
  /** Range of the values. @default from 0 to 1, shown in per cent */
  range?: Range;
  /**
   * Returns the value, true as 1 and false as 0; a numerator and denominator if the mean over a run
   * is a ratio of sums; undefined if the metric does not apply. Pure.
   */
  value(ended: EndedQuestion): number | boolean | RatioPart | undefined;
}

/** A metric that is computed from the verdicts of a judge model. */
export type JudgedMetric = Rubric | CitationMetric | ClaimMetric;

/** Any metric: of answers, chains or passages, computed by code or decided by a judge. */
export type Metric = Scorer | JudgedMetric | ChainMetric | PassageMetric;

/**
 * A metric that a user can register: any but a `PassageMetric`. To score an answer by its passages,
 * use a `Scorer`.
 */
export type OwnMetric = Scorer | JudgedMetric | ChainMetric;

/**
 * Maximum number of passages and generated documents in the prompt of a rubric for one answer: 20.
 */
export const MOST_JUDGED_PASSAGES = 20;

/**
 * Returns the given metric unchanged, to check its type. A metric that is registered with a worker
 * is computed for the answers of each run, unless the run's `metrics` leave it out, and shown in
 * tables.
 *
 * @example
 * defineMetric({ name: 'short', title: 'Short', score: ({ answer }) => answer.length < 80 })
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

/** Returns whether a metric is computed from the answer by code. */
export function isScorer(metric: Metric): metric is Scorer {
  return metric.from === undefined || metric.from === 'answer';
}

/** Returns whether a metric is decided by a judge with a prompt of its own. */
export function isRubric(metric: Metric): metric is Rubric {
  return metric.from === 'rubric';
}

/** Returns whether a metric is computed from the verdicts of a judge model. */
export function isJudged(metric: Metric): metric is JudgedMetric {
  return metric.from === 'rubric' || metric.from === 'citations' || metric.from === 'claims';
}

/**
 * Returns a value of a range (default 0 to 1) mapped linearly to a score, by which the ends of the
 * range become 0 and 1.
 */
export function normalizedScore(value: number, { from, to }: Range = SHARES): number {
  return (value - from) / (to - from);
}

/**
 * Returns the value of a range (default 0 to 1) that a score from 0 to 1 stands for; the reverse
 * of `normalizedScore`.
 */
export function scaledValue(share: number, { from, to }: Range = SHARES): number {
  return from + share * (to - from);
}

const SHARES: Range = { from: 0, to: 1 };
