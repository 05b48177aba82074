/** Applies a change to a run that has begun, and records when it was made. */
import { canonicalJson } from '../../core/canonical-json.js';
import { forEachLimited } from '../../core/each-of.js';
import type { StepUsage } from '../../core/result.js';
import { sha256Of } from '../../core/sha256.js';
import type {
  Resampling,
  RunChange,
  RunManifest,
  RunQuestion,
  RunStore,
} from '../../stores/runs/run-store.js';
import { manifestOfRun } from './run-of.js';

/** Maximum number of answers checked at the same time. */
const AT_ONCE = 64;

/**
 * Returns a new entry for the manifest's list of changes: the present time in ISO 8601 (`at`), the
 * number of questions that have ended, with or without an answer (`answered`), the differences,
 * and the hashes of the prompts and of the method's code that the given manifest has.
 *
 * @param differences One line for each difference.
 */
export async function changeEntry(
  { run, prompts, code }: RunManifest,
  differences: string[],
  runs: RunStore,
): Promise<RunChange> {
  const at = new Date().toISOString();
  let answered = 0;
  await forEachLimited(runs.questions(run), AT_ONCE, async ({ question }) => {
    if (await runs.get(run, question.id)) answered++;
  });
  return { at, answered, differences, prompts, ...(code && { code }) };
}

/**
 * Replaces the worker's setup and the metrics in a run's manifest, as they are from now on; the
 * questions and the input stay as they are. Adds an entry to the list of changes if there are
 * differences.
 *
 * @param here The fields to replace.
 */
export async function recordSetup(
  there: RunManifest,
  differences: string[],
  here: Partial<RunManifest>,
  runs: RunStore,
): Promise<void> {
  const changed = differences.length > 0 && (await changeEntry(there, differences, runs));
  const { ownSteps: _, code: __, metrics: ___, ...kept } = there;
  await runs.change(there.run, () => ({
    ...kept,
    ...here,
    input: there.input,
    dataset: there.dataset,
    ...(changed && { changes: [...(there.changes ?? []), changed] }),
  }));
}

/**
 * Adds the request parameters that a model does not support, and that were therefore left out, to a
 * run's manifest, by step. Repeats the write until all of them are recorded, because another worker
 * may write at the same time.
 */
export async function recordUnsupported(
  run: string,
  steps: Readonly<Record<string, StepUsage>>,
  runs: RunStore,
): Promise<void> {
  const found = Object.entries(steps).flatMap(([step, { unsupported = [] }]) =>
    unsupported.map((parameter) => ({ step, parameter })),
  );
  if (found.length === 0) return;
  for (;;) {
    const manifest = await manifestOfRun(run, runs);
    const known = manifest.unsupported ?? {};
    const missing = found.filter(({ step, parameter }) => !known[step]?.includes(parameter));
    if (missing.length === 0) return;
    const unsupported = { ...known };
    for (const { step, parameter } of missing) {
      unsupported[step] = [...(unsupported[step] ?? []), parameter].sort();
    }
    await runs.change(run, () => ({ ...manifest, unsupported }));
  }
}

/**
 * Records in the manifest how many questions have an unreadable answer, which this start asks
 * again; does nothing if there are none. An earlier record of the same time is replaced.
 *
 * @param at Time of the start, in milliseconds since 1970.
 */
export async function recordResampling(run: string, at: number, runs: RunStore): Promise<void> {
  let unreadable = 0;
  for await (const { question } of runs.questions(run)) {
    const answer = await runs.get(run, question.id);
    if (answer?.result?.outcome === 'unreadable') unreadable++;
  }
  if (unreadable === 0) return;
  const manifest = await manifestOfRun(run, runs);
  const one: Resampling = { at: new Date(at).toISOString(), questions: unreadable };
  const others = (manifest.resampled ?? []).filter((before) => before.at !== one.at);
  await runs.change(run, () => ({ ...manifest, resampled: [...others, one] }));
}

/**
 * Reads the stored questions of a run whose data set has changed, and returns a generator of all
 * its questions from now on. A question that is asked or scored differently from before gets the
 * time of the change, so that it is asked again.
 *
 * @param chosen All questions of the run from now on.
 * @param at Time of the change, in ISO 8601.
 */
export async function replacementQuestions(
  run: string,
  chosen: AsyncIterable<RunQuestion>,
  at: string,
  runs: RunStore,
): Promise<AsyncGenerator<RunQuestion>> {
  const before = new Map<string, { hash: string; changedAt: string | undefined }>();
  for await (const { question } of runs.questions(run)) {
    const { changedAt } = question;
    before.set(question.id, { hash: hashOf(question), changedAt });
  }
  async function* marked() {
    for await (const question of chosen) {
      const known = before.get(question.id);
      const isSame = known === undefined || known.hash === hashOf(question);
      const changedAt = isSame ? known?.changedAt : at;
      yield { ...question, ...(changedAt !== undefined && { changedAt }) };
    }
  }
  return marked();
}

/** Returns whether an answer was begun before its question changed in the data set. */
export function isAnswerOutdated({ changedAt }: RunQuestion, { startedAt }: { startedAt: string }) {
  return changedAt !== undefined && startedAt < changedAt;
}

/**
 * Returns a hash of the fields that decide how a question is asked and scored; its extra fields do
 * not.
 */
function hashOf({ changedAt: _, fields: __, ...question }: RunQuestion): string {
  return sha256Of(canonicalJson(question));
}
