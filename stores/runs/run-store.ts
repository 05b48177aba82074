/** The interface of stores for runs. */
import { Failure } from '../../core/failure.js';
import { NAME_PATTERN } from '../../core/name.js';
import type { Mark, RunAnswer, RunManifest, RunQuestion } from './records.js';

export type {
  Judgement,
  JudgeVerdicts,
  Mark,
  NoiseCounts,
  Resampling,
  Rescoring,
  RubricVerdict,
  RunAnswer,
  RunChange,
  RunManifest,
  RunQuestion,
  ServedModel,
  StoppedUsage,
} from './records.js';

/** A store of runs: their manifests, questions, answers and marks. */
export interface RunStore {
  /**
   * Begins a run: writes the questions, then the manifest, which is computed after all of them are
   * written. The run exists once its manifest does. An existing run of this name is left as it is.
   */
  begin(
    run: string,
    questions: AsyncIterable<RunQuestion>,
    manifest: () => RunManifest,
  ): Promise<void>;
  /**
   * Replaces the manifest of a run, and before it the questions if they are given; answers stay. No
   * question may be running while the questions are replaced.
   */
  change(
    run: string,
    manifest: () => RunManifest,
    questions?: AsyncIterable<RunQuestion>,
  ): Promise<void>;
  /** Returns undefined if there is no such run. @throws Failure Damaged if it is damaged. */
  manifest(run: string): Promise<RunManifest | undefined>;
  /** Returns the manifests of all runs, newest first; damaged ones are left out. */
  list(): Promise<RunManifest[]>;
  /**
   * Yields the questions from a place on (0, or a previous `next`), in the order of the data set,
   * each with the place after it.
   */
  questions(run: string, from?: number): AsyncGenerator<{ question: RunQuestion; next: number }>;
  /**
   * Stores an answer, replacing one of the same question; resolves once it survives a crash. An
   * import stores answers before it begins their run.
   */
  put(run: string, answer: RunAnswer): Promise<void>;
  /** Returns an answer; undefined if there is none. @throws Failure Damaged if it is damaged. */
  get(run: string, id: string): Promise<RunAnswer | undefined>;
  /** Stores a person's mark on an answer, replacing an earlier one. */
  mark(run: string, mark: Mark): Promise<void>;
  /** Returns people's marks on the answers of a run, by question id. */
  marks(run: string): Promise<ReadonlyMap<string, Mark>>;
  /**
   * Deletes a run. It exists, with fewer answers, until all answers are deleted, so that an
   * interrupted deletion can be repeated.
   */
  remove(run: string): Promise<void>;
}

/**
 * A lock for each name of a run: `holding` runs a function while it holds one, so that a run of
 * that name is copied or imported only once at a time.
 */
export interface RunNameLock {
  holding<T>(run: string, work: () => Promise<T>): Promise<T>;
}

/**
 * Returns the name of a run if it is valid in paths and keys.
 *
 * @throws Failure BadInput if it is not.
 */
export function checkedRunName(run: string): string {
  if (NAME_PATTERN.test(run)) return run;
  throw new Failure('BadInput', `${JSON.stringify(run)} is not a valid name of a run.`);
}

/** Returns a map from question ids to marks, without withdrawn ones (neither verdict nor note). */
export function marksById(marks: readonly Mark[]): ReadonlyMap<string, Mark> {
  const saying = marks.filter(({ says, note }) => says !== null || note !== '');
  return new Map(saying.map((mark) => [mark.id, mark]));
}

/** Returns whether a stored value is the manifest of a run, judged by three of its fields. */
export function isManifest(kept: unknown): kept is RunManifest {
  const { run, input, dataset } = (kept ?? {}) as Partial<RunManifest>;
  return Boolean(run && input && dataset);
}

/**
 * Sorts manifests in the order of `RunStore.list`, the newest run first, and returns the same
 * array.
 */
export function sortNewestFirst(manifests: RunManifest[]): RunManifest[] {
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return manifests.sort((a, b) => compare(b.createdAt, a.createdAt) || compare(a.run, b.run));
}
