/**
 * Verifies runs: recomputes everything that follows from their stored data, without model calls.
 */
import type { TextsOf } from '../activities/run/rescore-answer.js';
import { Failure } from '../core/failure.js';
import type { OwnMetric } from '../core/metric.js';
import { firstDifference } from '../core/object-differences.js';
import { openRun } from '../evaluation/runs/run-source.js';
import { methodRegistry } from '../interpreters/methods.js';
import { importedTexts } from '../retrieval/imported-texts.js';
import { passageStore } from '../retrieval/supplied-passages.js';
import { MemoryStore } from '../stores/memory-store.js';
import { archiveFormat, DamagedArchive } from '../stores/runs/archive-file.js';
import { keyValueRuns } from '../stores/runs/key-value-runs.js';
import { hashedQuestions } from '../stores/runs/questions-hash.js';
import { readRunArchive } from '../stores/runs/run-archive.js';
import type { RunQuestion, RunStore } from '../stores/runs/run-store.js';
import { STUDY_FORMAT, withStudyArchive } from '../stores/runs/study-archive.js';
import type { OwnMethod } from '../workflows/define-method.js';
import { AnswerChecks, type CheckedCounts, type RunDifference } from './answer-checks.js';

/** Stores of `verifyRun`, and custom methods and metrics. */
export interface VerifyOptions {
  runs: RunStore;
  texts: TextsOf;
  /** Custom methods and metrics. */
  methods?: readonly OwnMethod<unknown>[] | undefined;
  metrics?: readonly OwnMetric[] | undefined;
}

/**
 * The result of verifying a run: the verdict, the numbers of recomputed values, the first
 * difference, and what could not be checked.
 */
export interface Verification extends CheckedCounts {
  run: string;
  /** `notChecked` if nothing differs, but not everything could be recomputed. */
  verdict: 'ok' | 'differs' | 'notChecked';
  questions: number;
  answers: number;
  /** The first difference; null if there is none. */
  difference: RunDifference | null;
  /** Sentences, one for each kind of value that could not be recomputed. */
  notChecked: string[];
}

/**
 * Recomputes the answers of a stored run from their calls, then their scores, compares the number
 * and the hash of its questions with the manifest, and returns the result. What cannot be
 * recomputed is named in `notChecked`. Stops at the first difference, which does not throw. Makes
 * no model call.
 *
 * @throws Failure UnknownRun.
 * @example
 * const { verdict, difference } = await verifyRun('nq-sure', await openResults());
 */
export async function verifyRun(run: string, options: VerifyOptions): Promise<Verification> {
  const { runs } = options;
  const { manifest } = await openRun(runs, run);
  const methods = methodRegistry(options.methods);
  const checks = new AnswerChecks(manifest, methods, options.texts, options.metrics);
  const { questions, sha256 } = hashedQuestions(asked(runs, run));
  const found = { questions: 0, answers: 0 };
  const differing = (difference: RunDifference): Verification => ({
    run,
    verdict: 'differs',
    ...found,
    ...checks.counts,
    difference,
    notChecked: [],
  });
  for await (const question of questions) {
    found.questions++;
    const answer = await answerOf(runs, run, question);
    if (!answer) continue;
    if ('difference' in answer) return differing(answer.difference);
    found.answers++;
    const difference = await checks.check(question, answer);
    if (difference) return differing({ question: question.id, ...difference });
  }
  const difference =
    firstDifference(manifest.questions, found.questions, 'questions') ??
    otherQuestions(manifest.questionsSha256, sha256());
  if (difference) return differing(difference);
  const notChecked = checks.notChecked();
  const verdict = notChecked.length > 0 ? 'notChecked' : 'ok';
  return { run, verdict, ...found, ...checks.counts, difference: null, notChecked };
}

/**
 * Returns the difference of two hashes of questions, with a sentence to show; undefined if they are
 * equal.
 */
function otherQuestions(kept: string, computed: string): RunDifference | undefined {
  const difference = firstDifference(kept, computed, 'questionsSha256');
  const message =
    'the questions are not those that the run was started with: a text, a gold answer or their order has changed';
  return difference && { ...difference, message };
}

async function* asked(runs: RunStore, run: string) {
  for await (const { question } of runs.questions(run)) yield question;
}

/** Returns the stored answer to a question, or a difference if it is damaged. */
async function answerOf(runs: RunStore, run: string, { id }: RunQuestion) {
  try {
    return await runs.get(run, id);
  } catch (error) {
    if (!(error instanceof Failure) || error.type !== 'Damaged') throw error;
    const { message } = error;
    return {
      difference: { question: id, field: 'answer', kept: undefined, computed: undefined, message },
    };
  }
}

/**
 * Verifies the archive of a run: the hashes of its parts and its totals, then its run as
 * `verifyRun` does. Differences are in the result.
 *
 * @throws Failure BadInput for a file that is not the archive of a run.
 */
export async function verifyArchive(
  file: string,
  options: Pick<VerifyOptions, 'methods' | 'metrics'>,
): Promise<Verification> {
  const store = new MemoryStore();
  const runs = keyValueRuns(new MemoryStore());
  const imported = importedTexts(store);
  const naming = { holding: <T>(_: string, work: () => Promise<T>) => work() };
  let altered: DamagedArchive | undefined;
  try {
    const target = { runs, imported, naming, given: passageStore(store) };
    const { run } = await readRunArchive(file, target, undefined, (damage) => {
      altered ??= damage;
    });
    const texts: TextsOf = (_, ids) => imported.get(run, ids);
    const found = await verifyRun(run, { ...options, runs, texts });
    if (!altered) return found;
    return { ...found, verdict: 'differs', difference: damageIn(altered, found.difference) };
  } catch (error) {
    if (!(error instanceof Failure) || error.type !== 'Damaged') throw error;
    const { part } = altered ?? {};
    return nothingOf(file, { ...damageIn(error, null), ...(part !== undefined && { part }) });
  }
}

/**
 * Verifies the archive of a run, or of a study with each of its runs. Returns one result for each
 * run; a single one, with the file as its run, if the study's archive is damaged. Differences do
 * not throw.
 *
 * @throws Failure BadInput for a file that is not an archive.
 */
export async function verifyFile(
  file: string,
  options: Pick<VerifyOptions, 'methods' | 'metrics'>,
): Promise<Verification[]> {
  if ((await archiveFormat(file)) !== STUDY_FORMAT) return [await verifyArchive(file, options)];
  try {
    return await withStudyArchive(file, async ({ runs }) => {
      const found: Verification[] = [];
      for (const { file } of runs) found.push(await verifyArchive(file, options));
      return found;
    });
  } catch (error) {
    if (!(error instanceof Failure) || error.type !== 'Damaged') throw error;
    return [nothingOf(file, damageIn(error, null))];
  }
}

function nothingOf(file: string, difference: RunDifference): Verification {
  const nothing = { questions: 0, answers: 0, replayed: 0, calls: 0, scores: 0, notChecked: [] };
  return { run: file, verdict: 'differs', ...nothing, difference };
}

/** Returns the damage of an archive as a difference, combined with the difference in its run. */
function damageIn(damage: Failure, difference: RunDifference | null): RunDifference {
  const part = damage instanceof DamagedArchive ? damage.part : undefined;
  const nothing = { field: 'archive', kept: undefined, computed: undefined };
  return {
    ...(difference ?? { ...nothing, message: damage.message }),
    ...(part !== undefined && { part }),
  };
}
