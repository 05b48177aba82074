/**
 * Types of the prompts that are written for a tune, and of the input for writing them. JSON-safe.
 */
import type { StepModel } from '../step-models.js';
import type { Usage } from '../usage.js';

/**
 * A question that was answered wrongly because of one step, with the accepted answers, and that
 * step's prompt and output, both shortened.
 */
export interface LostQuestion {
  question: string;
  /** The prompt that the step sent, passages included, shortened. */
  shown: string;
  /** The step's output, shortened. */
  wrote: string;
  /** The accepted answers. */
  answers: readonly string[];
}

/**
 * A prompt of an earlier round with its mean score, and that of the current prompt on the same
 * questions.
 */
export interface TriedPrompt {
  text: string;
  /** Mean score, from 0 to 1. */
  score: number;
  /** Mean score of the current prompt on the same questions, from 0 to 1. */
  presentScore: number;
  /** Number of these questions. */
  questions: number;
}

/** A returned prompt that cannot be used, with the reason. */
interface RefusedPrompt {
  text: string;
  /** @example 'lacks {{question}}' */
  problem: string;
}

/**
 * The input of an action that writes prompts for a tune instead of a model (`propose.by`). The
 * action returns the texts of at most `count` prompts.
 *
 * @example
 * export const shorter = defineAction<ProposeInput, string[]>({
 *   name: 'shorter',
 *   act: ({ prompt, keep }) => [`${prompt.split('.')[0]}.\n${keep.join('\n')}`],
 *   longest: () => [],
 * });
 */
export interface ProposeInput {
  /** Name of the step that uses the prompt. */
  step: string;
  /** The current prompt, with its placeholders. */
  prompt: string;
  /**
   * Texts that a new prompt must contain: placeholders, and words that the step's reader looks for.
   */
  keep: readonly string[];
  /** Questions of half A that were answered wrongly because of the step. */
  failures: readonly LostQuestion[];
  /** The prompts of earlier rounds, with their scores. */
  before: readonly TriedPrompt[];
  /** Maximum number of prompts to return. */
  count: number;
  /** Returned prompts that could not be used and are to be replaced; empty at first. */
  refused: readonly RefusedPrompt[];
}

/**
 * A step for which new prompts are to be written, with its current prompt, its lost questions and
 * the earlier prompts, which the author is shown.
 */
export interface StepToPropose extends Omit<ProposeInput, 'count' | 'refused'> {
  /** Name of the prompt file, without `.txt`. */
  file: string;
  /** Ids of the failures, in the order in which a model is shown them. */
  failureIds: string[];
  /** The earlier prompts with their scores, as one text for the model. */
  beforeText: string;
}

/** The author of new prompts: a model, or an action by its name (`by`). */
export type Proposer = { model: string | StepModel } | { by: string };

/**
 * A prompt that was written for a step of a tune and can be tried; its text is in the prompt set.
 */
export interface Proposal {
  step: string;
  /** Name of the prompt file, without `.txt`. */
  file: string;
  /** Name of the prompt set that contains it, which ends in a hash of its content. */
  set: string;
  /** Name of the model or action that wrote it. */
  by: string;
}

/**
 * The result of one round of writing prompts for a tune: the usable prompts, the refused ones with
 * the reason, and the calls, tokens and cost in US dollars of writing them (`usage`).
 */
export interface ProposalRound {
  /** Number of the round, from 1. */
  round: number;
  /** The usable prompts, which are tried. */
  written: readonly Proposal[];
  /** Prompts that could not be used, even after another request, with the reason. */
  refused: readonly { step: string; by: string; problem: string }[];
  /** Usage of the calls that wrote them. */
  usage: Usage;
}
