/** The result of every method. */
import { saysUnknown } from './unknown.js';
import type { Usage } from './usage.js';

/**
 * The way in which a question ended:
 *
 * - answered: there is an answer;
 * - unknown: the method ran and says that it does not know;
 * - unreadable: the model's output could not be read, even when asked again;
 * - failed: something stopped the question, see `failure`.
 */
export type Outcome = 'answered' | 'unknown' | 'unreadable' | 'failed';

/**
 * Name of the metrics counter of ended questions, with labels for method and outcome. Workflows
 * increment it.
 */
export const QUESTIONS_COUNTER = 'durable_rag_questions';

/**
 * A note that something unusual happened in a step on the way to the answer: its kind, the step,
 * and a detail for people.
 */
export interface Flag {
  kind:
    | 'reasked' // the output could not be read at first and was asked again
    | 'resampled' // a stored response could not be read, and another sample replaced it
    | 'fallback' // the output could not be read even when asked again; the documented fallback is used
    | 'longAnswer' // the answer was far longer than requested even when asked again; it is used
    | 'cut' // the output stopped at the token limit and was read as far as it went
    | 'wroteOn' // the model wrote more after the action of its turn; the rest is ignored
    | 'unknownEnd' // the provider gave an unknown finish reason; the output is used
    | 'unsupportedParameter' // a parameter that the provider does not support was left out
    | 'impossibleUsage' // the provider reported more tokens than a call can take; they are counted
    | 'noPassages' // the search found nothing
    | 'fewerDocuments' // fewer documents were generated than asked, or could be read
    | 'fewerNotes' // there are passages without a reading note
    | 'extraNotes' // there are reading notes on passages that do not exist
    | 'fewerSelected' // a selection named fewer documents than asked, and was filled
    | 'notVerified' // the documents that were used never passed verification
    | 'unknownCitations' // the answer cited passages that do not exist; those citations are removed
    | 'fewerCandidates'; // the model named fewer candidates than asked
  step: string;
  detail: string;
}

/**
 * The model calls, tokens and cost in US dollars of one step of a question, with the models and
 * hosts that served it.
 */
export interface StepUsage extends Usage {
  /** Models that served the step, as the provider names them. */
  models: string[];
  /** The provider's fingerprints of its backend; absent if it gives none. */
  fingerprints?: string[];
  /** Hosts of the step behind a router such as OpenRouter; absent if unknown. */
  hosts?: string[];
  /** Unsupported parameters that were left out of some request of the step. */
  unsupported?: string[];
  /**
   * Number of paid calls by the tier that served them: "flex", "default", or "refused" or "unsaid"
   * as in `ServedTier`. Calls that asked for the usual tier and got it are not counted; absent if
   * all did.
   */
  tiers?: Record<string, number>;
  /** Distinct hashes of the prompts' templates. */
  prompts: string[];
}

/** The failure of a question: its type, a message for people, and the step that failed. */
export interface QuestionFailure {
  /** Type of the failure, such as "Timeout". */
  type: string;
  /** The cause and what to do about it, for people. */
  message: string;
  /** Name of the step that failed; null if no step did. */
  step: string | null;
}

/**
 * The result of a question of any method; `chain` contains everything that led to the answer, and
 * is null if the question failed.
 */
export interface MethodResult<C = unknown> {
  workflowId: string;
  method: string;
  question: string;
  outcome: Outcome;
  /** Null unless the outcome is answered. */
  answer: string | null;
  /** The method's confidence from 0 to 1; absent if it has no such number. */
  confidence?: number;
  /** Ids of the passages that the answer rests on, most important first. */
  evidence: string[];
  /** The chain; null if the question failed. */
  chain: C | null;
  usage: Usage;
  /** Number of searches. */
  retrievals: number;
  /**
   * Time during which at least one successful call was running, in seconds, without waits. Absent
   * if unknown, for example for calls by batch.
   */
  workingSeconds?: number;
  /** Usage by step name. */
  steps: Record<string, StepUsage>;
  flags: Flag[];
  /** The failure; absent unless the outcome is failed. */
  failure?: QuestionFailure;
  /**
   * Build of the workflows that finished it; absent if unknown. `durable-rag deploy status` lists
   * builds.
   */
  build?: string;
}

/**
 * The part of a result that a method's code returns: the outcome, the answer (null without one),
 * the confidence from 0 to 1, the ids of the passages that the answer rests on (`evidence`), and
 * the chain. The usage, steps and flags are added to it.
 */
export interface Conclusion<C> {
  outcome: Exclude<Outcome, 'failed'>;
  answer: string | null;
  confidence?: number;
  evidence: string[];
  chain: C;
}

/**
 * Returns the conclusion of a method with an answer. If the answer says that it is not known, the
 * conclusion has the outcome unknown and no answer.
 */
export function answered<C>(answer: string, evidence: string[], chain: C): Conclusion<C> {
  return saysUnknown(answer)
    ? unanswered('unknown', evidence, chain)
    : { outcome: 'answered', answer, evidence, chain };
}

/**
 * Returns the conclusion of a method with its answer as read: outcome answered; or without an
 * answer, outcome unreadable if `reading` is null, or unknown if it says that the answer is not
 * known.
 */
export function concluded<C>(reading: string | null, evidence: string[], chain: C): Conclusion<C> {
  return reading === null
    ? unanswered('unreadable', evidence, chain)
    : answered(reading, evidence, chain);
}

/** Returns the conclusion of a method without an answer, with the given outcome. */
export function unanswered<C>(
  outcome: 'unknown' | 'unreadable',
  evidence: string[],
  chain: C,
): Conclusion<C> {
  return { outcome, answer: null, evidence, chain };
}
