/** Where a run stands in a study. Types only. */

/** A cell of a study, by the labels that tables show. */
export interface StudyCell {
  method: string;
  dataset: string;
  model: string;
  /** A run a repeat, in order. */
  runs: string[];
}

/** What a study asks, as its workflow is given it. */
export interface StudyPlan {
  study: string;
  /** Inputs of runs, checked where each begins. */
  runs: { run: string; [field: string]: unknown }[];
  /** US dollars for all runs together. */
  budgetUsd?: number;
}

/** Where a run of a study stands. */
export interface StudyRunProgress {
  run: string;
  state: 'waiting' | 'running' | 'finished' | 'failed';
  /** 0 until it has been asked. */
  questions: number;
  done: number;
  failed: number;
  /** Why it ended without its answers. */
  failure?: string;
}

/** Where a study stands: the answer to the query "progress", and the result of its workflow. */
export interface StudyProgress {
  study: string;
  state: 'running' | 'paused' | 'finished';
  /** Why nothing more begins. */
  pause: { reason: string; message: string; run?: string } | null;
  budgetUsd: number | null;
  /** Of this start; null once a price is not known. */
  spentUsd: number | null;
  runs: StudyRunProgress[];
}

/** What can be changed of a study under way. */
export interface StudySettings {
  budgetUsd: number | null;
}
