/** Prompts that were written for a tune, and what whoever writes them is shown. Types only. JSON. */
import type { StepModel } from '../step-models.js';
import type { Usage } from '../usage.js';

/** A question whose answer was lost at a step. */
export interface LostQuestion {
  question: string;
  /** What the step was shown, passages included. */
  shown: string;
  /** What it wrote. */
  wrote: string;
  /** The accepted answers. */
  answers: readonly string[];
}

/** A prompt of an earlier round, and what it brought on the same questions as the present one. */
export interface TriedPrompt {
  text: string;
  /** Mean score, from 0 to 1. */
  score: number;
  /** Mean score of the present prompt. */
  presentScore: number;
  questions: number;
}

/** A prompt that could not be used, and why. */
export interface RefusedPrompt {
  text: string;
  /** @example 'lacks {{question}}' */
  problem: string;
}

/**
 * What an action is given that writes prompts for a tune in the place of a model (`propose.by`). It
 * returns the texts of at most `count` prompts.
 *
 * @example
 * export const shorter = defineAction<ProposeInput, string[]>({
 *   name: 'shorter',
 *   act: ({ prompt, keep }) => [`${prompt.split('.')[0]}.\n${keep.join('\n')}`],
 *   longest: () => [],
 * });
 */
export interface ProposeInput {
  /** The step whose prompt it is. */
  step: string;
  /** The present prompt, with its placeholders. */
  prompt: string;
  /** Texts that a new prompt has to contain: its placeholders, and words that are looked for. */
  keep: readonly string[];
  /** Questions of half A that were lost at the step; none of half B is ever among them. */
  failures: readonly LostQuestion[];
  /** The prompts of earlier rounds. */
  before: readonly TriedPrompt[];
  count: number;
  /** Prompts that were refused just now; `count` others are asked for. Empty at first. */
  refused: readonly RefusedPrompt[];
}

/** A step that prompts are written for. */
export interface StepToPropose extends Omit<ProposeInput, 'count' | 'refused'> {
  /** Name of the prompt. */
  file: string;
  /** Ids of the failures, as a model is shown them. */
  failureIds: string[];
  /** The earlier prompts, as a model is shown them. */
  beforeText: string;
}

/** Writer of prompts: a model, or the name of an action. */
export type Proposer = { model: string | StepModel } | { by: string };

/** A prompt that is tried. */
export interface Proposal {
  step: string;
  /** Name of the prompt. */
  file: string;
  /** The prompt set that holds it, named by the hash of its content. */
  set: string;
  /** The model or the action that wrote it. */
  by: string;
}

/** What a round of proposals brought. */
export interface Proposals {
  round: number;
  written: readonly Proposal[];
  /** What could not be used even when it was asked for again. */
  refused: readonly { step: string; by: string; problem: string }[];
  usage: Usage;
}
