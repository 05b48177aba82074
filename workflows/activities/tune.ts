/** Types of a tune's activities, for its workflows. */
import type { RunSpec } from '../../core/run/input.js';
import type { AdvanceTuneInput, TuneStep } from '../../core/study/plan.js';
import type { ProposalRound, Proposer, StepToPropose } from '../../core/tune/proposals.js';
import type { TunePlan } from '../../core/tune/tune-runs.js';
import type { SearchSource } from '../../steps/non-model-steps.js';

/**
 * Activities of a tune that cost no money: they check it, decide what is asked next, and prepare
 * and store its prompt proposals.
 */
export interface TuneActivities {
  /**
   * Checks a tune before anything is asked.
   *
   * @returns US dollars that its confirmation takes at most; null if a price is not known.
   */
  checkTune(tune: TunePlan): Promise<number | null>;
  /** Returns what is asked next in a tune, from the answers so far. */
  advanceTune(asked: AdvanceTuneInput): Promise<TuneStep>;
  /** Returns the task of a round of prompt proposals. */
  readProposalTask(tune: TunePlan): Promise<ProposalTask>;
  /**
   * Stores each usable prompt as a prompt set. Returns these, and the refused ones with the reason.
   */
  keepProposals(written: WrittenPrompts): Promise<Pick<ProposalRound, 'refused' | 'written'>>;
}

/**
 * The task of one round of prompt proposals: the steps that get new prompts, how many prompts each
 * gets, and the model or action that writes them.
 */
export interface ProposalTask {
  proposer: Proposer;
  /** Settings of the model calls. */
  settings: Pick<RunSpec, 'cache' | 'extraBody' | 'limits' | 'models' | 'prompts' | 'seed'> & {
    question: string;
    retrieval: SearchSource;
  };
  /** Number of prompts to write for a step. */
  each: number;
  steps: StepToPropose[];
}

/**
 * The prompts that were written in a round of proposals, for each step in turn; null for one that
 * could not be used.
 */
export interface WrittenPrompts {
  tune: TunePlan;
  steps: (Pick<StepToPropose, 'file' | 'keep' | 'prompt' | 'step'> & {
    /** The written prompts; null for one that could not be used, even when asked for again. */
    texts: (string | null)[];
  })[];
}
