/** What every method gives back. */
import { saysUnknown } from './unknown.js';
import type { Usage } from './usage.js';

/**
 * - answered: there is an answer;
 * - unknown: the method ran and says that it does not know;
 * - unreadable: the model's output could not be read, however often it was asked again;
 * - failed: something stopped the question, see `failure`.
 */
export type Outcome = 'answered' | 'unknown' | 'unreadable' | 'failed';

/** The counter of questions that have ended, by method and outcome; workflows count in it. */
export const QUESTIONS_COUNTER = 'durable_rag_questions';

/** Something about the way to the answer that a reader of it should know. */
export interface Flag {
  kind:
    | 'reasked' // the output could not be read at first and was asked again
    | 'resampled' // a kept response could not be read, and another sample stands in for it
    | 'fallback' // it could not be read at all and the documented fallback stands in
    | 'longAnswer' // it was far longer than asked for, however often it was asked again, and stands
    | 'cut' // the output stopped at the token limit and was read as far as it went
    | 'wroteOn' // the model wrote on behind the action of its turn; that is left out
    | 'unknownEnd' // the provider ended the output by a word that nobody knows; it is used
    | 'unsupportedParameter' // it was asked without a parameter that the provider does not support
    | 'impossibleUsage' // the provider reported more tokens than a call can take; they are counted
    | 'noPassages' // the search found nothing
    | 'fewerDocuments' // fewer documents were generated than asked, or could be read
    | 'fewerNotes' // there are passages without a reading note
    | 'extraNotes' // there were reading notes on passages that do not exist
    | 'fewerSelected' // a selection named fewer documents than asked, and was filled
    | 'notVerified' // the documents answered from never passed verification
    | 'unknownCitations' // the answer cited passages that do not exist; they are taken out of it
    | 'fewerCandidates'; // the model named fewer candidates than asked
  step: string;
  detail: string;
}

/** The usage of a step, with who served it. */
export interface StepUsage extends Usage {
  /** The models that served the step, as the provider names them. */
  models: string[];
  /** The provider's fingerprints of what served it, where it gives them. */
  fingerprints?: string[];
  /** Who served the step behind a router such as OpenRouter, where it tells. */
  hosts?: string[];
  /** Parameters that the provider does not support: some answer of the step came without them. */
  unsupported?: string[];
  /** Paid calls by the tier that served them, where another one than the usual was asked for. */
  tiers?: Record<string, number>;
  prompts: string[];
}

/** Why a question failed; the type names the cause. */
export interface QuestionFailure {
  type: string;
  message: string;
  step: string | null;
}

/** One result shape for all methods; `chain` holds everything that led to the answer. */
export interface MethodResult<C = unknown> {
  workflowId: string;
  method: string;
  question: string;
  outcome: Outcome;
  /** Null unless the outcome is answered. */
  answer: string | null;
  /** How sure the method is, from 0 to 1, where it has such a number. */
  confidence?: number;
  /** Ids of the passages the answer rests on. */
  evidence: string[];
  /** Null when the question failed. */
  chain: C | null;
  usage: Usage;
  retrievals: number;
  /**
   * Seconds in which at least one attempt of its calls was running that ended well, without waits.
   * Left out if nobody knows, as of calls that went by batch.
   */
  workingSeconds?: number;
  steps: Record<string, StepUsage>;
  flags: Flag[];
  failure?: QuestionFailure;
  /** The build of the workflows that brought it to its end: `durable-rag deploy status` names them. */
  build?: string;
}

/** What a method's own code decides; the rest of the result is bookkeeping. */
export interface Conclusion<C> {
  outcome: Exclude<Outcome, 'failed'>;
  answer: string | null;
  confidence?: number;
  evidence: string[];
  chain: C;
}

/** Ends with an answer, unless the answer says that there is none: then the outcome is unknown. */
export function answered<C>(answer: string, evidence: string[], chain: C): Conclusion<C> {
  return saysUnknown(answer)
    ? unanswered('unknown', evidence, chain)
    : { outcome: 'answered', answer, evidence, chain };
}

/** Ends with an answer as it was read; null is one that could not be. */
export function concluded<C>(reading: string | null, evidence: string[], chain: C): Conclusion<C> {
  return reading === null
    ? unanswered('unreadable', evidence, chain)
    : answered(reading, evidence, chain);
}

/** Ends without an answer: the outcome says why. */
export function unanswered<C>(
  outcome: 'unknown' | 'unreadable',
  evidence: string[],
  chain: C,
): Conclusion<C> {
  return { outcome, answer: null, evidence, chain };
}
