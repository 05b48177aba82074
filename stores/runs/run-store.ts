/** The port of what keeps runs. */
import { Failure } from '../../core/failure.js';
import { NAME } from '../../core/name.js';
import type { Mark, RunAnswer, RunManifest, RunQuestion } from './records.js';

export type {
  Judgement,
  JudgeVerdicts,
  Mark,
  NoiseCounts,
  Resampling,
  Rescored,
  RubricVerdict,
  RunAnswer,
  RunChange,
  RunManifest,
  RunQuestion,
  ServedModel,
  StoppedUsage,
} from './records.js';

/** Keeps runs: their manifests, answers and records of calls. */
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

/** Who makes a run out of another one, or of a file, holds its name: two of one name take turns. */
export interface RunNaming {
  holding<T>(run: string, work: () => Promise<T>): Promise<T>;
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

/** Tells whether what is kept as a manifest is one. */
export function isManifest(kept: unknown): kept is RunManifest {
  const { run, input, dataset } = (kept ?? {}) as Partial<RunManifest>;
  return Boolean(run && input && dataset);
}

/** Sorts manifests as `RunStore.list` gives them. */
export function newestFirst(manifests: RunManifest[]): RunManifest[] {
  const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  return manifests.sort((a, b) => compare(b.createdAt, a.createdAt) || compare(a.run, b.run));
}
