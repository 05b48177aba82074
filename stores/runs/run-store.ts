/** The port of what keeps runs, and its records: a manifest, questions, and an answer each. */

import type { DatasetRecord, Snapshot } from '../../core/dataset-record.js';
import { Failure } from '../../core/failure.js';
import type { ClaimVerdict, PassageScores, StatementVerdict } from '../../core/metric.js';
import type { ModelPrice } from '../../core/model-price.js';
import { NAME } from '../../core/name.js';
import type { Flag, MethodResult, QuestionFailure, StepUsage } from '../../core/result.js';
import type { StoredRunSpec } from '../../core/run/input.js';
import type { RunMetric, Unscored } from '../../core/run/run.js';
import type { StepModels } from '../../core/step-models.js';
import type { Usage } from '../../core/usage.js';
import type { PassageRef } from '../../core/vocabulary.js';

/** A question of a run: passages that came with it by reference. */
export interface RunQuestion extends Omit<DatasetRecord, 'passages'> {
  /** What it is asked with in place of a search, best first. */
  stored?: PassageRef[];
  /** The calls of the question in the run that this one is forked of, as `packCalls` packed them. */
  taken?: string;
  /** ISO time of a change of the data set that changed it: an answer begun before is to another one. */
  changedAt?: string;
}

export interface NoiseCounts {
  /** Questions that take no part, since no passage found for them holds an answer. */
  withoutAnswer: number;
  /** Questions asked with another share of noise than was wanted, for want of passages. */
  incomplete: number;
}

/** A model by the endpoint that serves it. */
export interface ServedModel {
  provider: string;
  model: string;
}

/** What a run has begun to be asked with in place of what it was asked with before. */
export interface RunChange {
  /** ISO time: what has begun from then on has the change. */
  at: string;
  /** Questions that had an answer by then. */
  answered: number;
  /** A line for each difference, for a person to read. */
  differences: string[];
  /** The prompts until then, as in the manifest. */
  prompts: Record<string, string>;
}

/** Everything needed to repeat a run. */
export interface RunManifest {
  run: string;
  /** ISO time of the first start. */
  createdAt: string;
  input: StoredRunSpec;
  questions: number;
  /** With how many questions of it were chosen, and how in words. */
  dataset: Snapshot & { selected: number; rule: string };
  /** What the index says of itself; null when no question of the run searches it. */
  corpus: Record<string, unknown> | null;
  /** What became of the questions where passages were chosen for their noise. */
  noise?: NoiseCounts;
  /** Metrics of somebody's own, in the order shown; only where the run has any. */
  metrics?: RunMetric[];
  /** By prompt file of the set in use the first 12 hex digits of its SHA-256, as in the answers. */
  prompts: Record<string, string>;
  /** By name a hash of the code of each step of somebody's own that it may ask; only where there are any. */
  ownSteps?: Record<string, string>;
  provider: string;
  /** By step, as configured; `default` for the rest. What the provider served is in the answers. */
  models: StepModels;
  /** Where vectors come from. */
  embedding: ServedModel;
  /** The cross-encoder; null where there is none. */
  reranker: ServedModel | null;
  /** Of the models that are asked, US dollars a million tokens, where they were known. */
  prices: Record<string, ModelPrice>;
  /** How answers are normalised before they are compared. */
  normaliser: string;
  /** `steps` is a hash of our code that asks and reads. */
  versions: { durableRag: string; node: string; steps: string };
  /** Of a fork: what became of the questions that it took. */
  fork?: {
    /** Questions that take no call and are asked whole: they had failed. */
    whole: number;
    /** Those of the run that is forked, as in its manifest. */
    prompts: Record<string, string>;
  };
  /** What was accepted since the run began, oldest first; the rest is as it is after the last one. */
  changes?: RunChange[];
  /** How it was scored again, oldest first. */
  rescored?: Rescored[];
  /** What questions took that were cancelled with a start of the run; only where some were. */
  stopped?: StoppedUsage[];
}

/** A run that was scored again after its questions had been answered. */
export interface Rescored {
  /** ISO time: an answer that does not have it as its `scoredAt` has scores from before. */
  at: string;
  /** A line for each difference in metrics, judge or gold answers, for a person to read. */
  differences: string[];
  /** By metric the answers that kept the score they had, because nothing could tell it anew. */
  kept: Record<string, Unscored>;
}

/** What the questions took that were cancelled with one start of a run, which have no answer by it. */
export interface StoppedUsage {
  /** ISO time at which that start began. */
  startedAt: string;
  usage: Usage;
  /** Of judging; not part of `usage`. */
  judge: Usage;
}

/** What a judge found about an answer. */
export interface Judgement {
  /** A hash of what was asked, and of whom; left out where there was no answer to judge. */
  of?: string | undefined;
  /** From 0 to 1, by metric; those that apply. */
  scores: Record<string, number>;
  /** What the judging took; not part of the method's usage. */
  usage: Usage;
  /** What earlier judging took that this one has replaced. */
  earlier?: Usage;
  /** What was asked and found; null where there was no answer to judge. */
  verdicts: JudgeVerdicts | null;
}

export interface JudgeVerdicts {
  /** Null where the answer was not to cite. */
  statements: StatementVerdict[] | null;
  /** Null where the question has no reference claims. */
  claims: ClaimVerdict[] | null;
  /** Only where the run has rubrics that apply. */
  rubrics?: RubricVerdict[];
  flags: Flag[];
  steps: Record<string, StepUsage>;
}

export interface RubricVerdict {
  metric: string;
  /** From 0 to 1; null where no verdict could be read, however often the judge was asked. */
  score: number | null;
  /** The judge's words, shortened. */
  said: string;
}

/** How a question of a run ended. */
export interface RunAnswer {
  id: string;
  /** Null when nothing came back, as for a workflow that was terminated: see `failure`. */
  result: MethodResult | null;
  failure?: QuestionFailure;
  /**
   * Of the prediction, by metric, ours and those of somebody's own; a question without one has 0 in
   * what applies, see `scoreEnded`.
   */
  scores: Record<string, number>;
  /** By metric of somebody's own that gave no score: why. */
  unscored?: Record<string, string>;
  /** How much of the answers the passages hold, where the method retrieved any. */
  retrieval?: PassageScores;
  judgement?: Judgement;
  /** What earlier attempts took whose answers this one has replaced. */
  earlier?: Usage;
  /** Its calls, as `packCalls` has packed them; left out where its workflow told nothing. */
  calls?: string;
  /** ISO times. */
  startedAt: string;
  endedAt: string;
  /** The time of the last `Rescored` that its scores are of; left out where there was none. */
  scoredAt?: string;
}

/** What a person says of an answer. */
export interface Mark {
  /** Of the question. */
  id: string;
  /** Null where only the note counts. */
  says: 'right' | 'wrong' | null;
  note: string;
  /** The `endedAt` of the answer: it is not of one that came later. */
  of: string;
  /** ISO time. */
  at: string;
}

export interface RunStore {
  /**
   * Writes the questions, then the manifest, which is asked for when all of them are written; the
   * run is there once its manifest is. A run of this name that is there already is left as it is.
   */
  begin(
    run: string,
    questions: AsyncIterable<RunQuestion>,
    manifest: () => RunManifest,
  ): Promise<void>;
  /**
   * Puts another manifest in the place of a run's, and before it other questions where they are
   * given; answers stay. Nothing is under way in the run while its questions are replaced.
   */
  change(
    run: string,
    manifest: () => RunManifest,
    questions?: AsyncIterable<RunQuestion>,
  ): Promise<void>;
  /** Undefined where there is no such run. @throws Failure Damaged for a damaged one. */
  manifest(run: string): Promise<RunManifest | undefined>;
  /** The manifests of all runs, newest first; a damaged one is left out. */
  list(): Promise<RunManifest[]>;
  /**
   * The questions from a place on, 0 or the place after another, in the order of the data set, each
   * with the place after it.
   */
  questions(run: string, from?: number): AsyncGenerator<{ question: RunQuestion; next: number }>;
  /**
   * Resolves once the answer survives a crash. One of the same question is replaced. An import puts
   * answers before it begins their run.
   */
  put(run: string, answer: RunAnswer): Promise<void>;
  /** @throws Failure Damaged for a damaged one. */
  get(run: string, id: string): Promise<RunAnswer | undefined>;
  /** Keeps what a person says of an answer, in place of what was said before. */
  mark(run: string, mark: Mark): Promise<void>;
  /** What persons say of the answers of a run, by question. */
  marks(run: string): Promise<ReadonlyMap<string, Mark>>;
  /**
   * Deletes whatever there is of a run. The run is there, with fewer answers, until all of them are
   * deleted, so that one that was stopped half way can be deleted again.
   */
  remove(run: string): Promise<void>;
}

/** Returns the name of a run, which can stand in a path and in a key. @throws Failure BadInput */
export function runNamed(run: string): string {
  if (NAME.test(run)) return run;
  throw new Failure('BadInput', `${JSON.stringify(run)} is no name of a run.`);
}

/** Marks by their questions, without those that say nothing any more. */
export function byId(marks: readonly Mark[]): ReadonlyMap<string, Mark> {
  const saying = marks.filter(({ says, note }) => says !== null || note !== '');
  return new Map(saying.map((mark) => [mark.id, mark]));
}

/** Whether what is kept as a manifest is one. */
export function isManifest(kept: unknown): kept is RunManifest {
  const { run, input, dataset } = (kept ?? {}) as Partial<RunManifest>;
  return Boolean(run && input && dataset);
}

/** Sorts manifests as `RunStore.list` gives them. */
export function newestFirst(manifests: RunManifest[]): RunManifest[] {
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return manifests.sort((a, b) => compare(b.createdAt, a.createdAt) || compare(a.run, b.run));
}
