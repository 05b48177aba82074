/** Types of a tune's activities, for its workflows. */
import type { RunSpec } from '../../core/run/input.js';
import type { AdvanceTune, TuneStep } from '../../core/study/plan.js';
import type { ProposalRound, Proposer, StepToPropose } from '../../core/tune/proposals.js';
import type { TunePlan } from '../../core/tune/runs.js';
import type { SearchSource } from '../../steps/other.js';

export interface TuneActivities {
  /**
   * Checks a tune before anything is asked.
   *
   * @returns US dollars that its confirmation takes at most; null if a price is not known.
   */
  checkTune(tune: TunePlan): Promise<number | null>;
  /** Says what is asked next in a tune, by what is answered so far. */
  advanceTune(asked: AdvanceTune): Promise<TuneStep>;
  /** Says which steps prompts are written for, and what whoever writes them is shown. */
  readProposalTask(tune: TunePlan): Promise<ProposalTask>;
  /** Stores the prompts that can be used, each as a prompt set. */
  keepProposals(written: WrittenPrompts): Promise<Pick<ProposalRound, 'refused' | 'written'>>;
}

/** What is asked for in a round of proposals. */
export interface ProposalTask {
  proposer: Proposer;
  /** How a model is asked. */
  settings: Pick<RunSpec, 'cache' | 'extraBody' | 'limits' | 'models' | 'prompts' | 'seed'> & {
    question: string;
    retrieval: SearchSource;
  };
  /** Prompts of a step. */
  each: number;
  steps: StepToPropose[];
}

/** What came back, by step. */
export interface WrittenPrompts {
  tune: TunePlan;
  steps: (Pick<StepToPropose, 'file' | 'keep' | 'prompt' | 'step'> & {
    /** Null for one that could not be used, twice. */
    texts: (string | null)[];
  })[];
}
