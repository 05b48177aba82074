/** Takes a change into a run that has begun, so that it is known from where on it holds. */
import { canonicalJson } from '../../core/canonical-json.js';
import { eachOf } from '../../core/each-of.js';
import type { StepUsage } from '../../core/result.js';
import { sha256Of } from '../../core/sha256.js';
import type {
  Resampling,
  RunChange,
  RunManifest,
  RunQuestion,
  RunStore,
} from '../../stores/runs/run-store.js';
import { manifestOf } from './run-of.js';

/** Answers looked at together. */
const AT_ONCE = 64;

/** Returns the change as it is written down, with how many questions were answered before it. */
export async function changeOf(
  { run, prompts, code }: RunManifest,
  differences: string[],
  runs: RunStore,
): Promise<RunChange> {
  const at = new Date().toISOString();
  let answered = 0;
  await eachOf(runs.questions(run), AT_ONCE, async ({ question }) => {
    if (await runs.get(run, question.id)) answered++;
  });
  return { at, answered, differences, prompts, ...(code && { code }) };
}

/**
 * Takes over what questions are asked with from now on. The questions stay as they are, and so does
 * the input; without differences the manifest gets what it did not have, and no change.
 */
export async function accept(
  there: RunManifest,
  differences: string[],
  here: Partial<RunManifest>,
  runs: RunStore,
): Promise<void> {
  const changed = differences.length > 0 && (await changeOf(there, differences, runs));
  const { ownSteps: _, code: __, ...kept } = there;
  await runs.change(there.run, () => ({
    ...kept,
    ...here,
    input: there.input,
    dataset: there.dataset,
    ...(changed && { changes: [...(there.changes ?? []), changed] }),
  }));
}

/**
 * Says in the manifest of a run which parameters answers of it came without. Another worker may
 * write at the same time, so it looks again until all of them stand there.
 */
export async function keepUnsupported(
  run: string,
  steps: Readonly<Record<string, StepUsage>>,
  runs: RunStore,
): Promise<void> {
  const found = Object.entries(steps).flatMap(([step, { unsupported = [] }]) =>
    unsupported.map((parameter) => ({ step, parameter })),
  );
  if (found.length === 0) return;
  for (;;) {
    const manifest = await manifestOf(run, runs);
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
 * Writes into the manifest how many answers are asked again because they could not be read; nothing if
 * there are none. The same for the same time, however often it is written.
 */
export async function keepResampling(run: string, at: number, runs: RunStore): Promise<void> {
  let unreadable = 0;
  for await (const { question } of runs.questions(run)) {
    const answer = await runs.get(run, question.id);
    if (answer?.result?.outcome === 'unreadable') unreadable++;
  }
  if (unreadable === 0) return;
  const manifest = await manifestOf(run, runs);
  const one: Resampling = { at: new Date(at).toISOString(), questions: unreadable };
  const others = (manifest.resampled ?? []).filter((before) => before.at !== one.at);
  await runs.change(run, () => ({ ...manifest, resampled: [...others, one] }));
}

/** Questions to be put in the place of a run's: those that have changed say so, and are asked anew. */
export async function changedQuestions(
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

/** Tells whether an answer is to what the question was before the data set changed. */
export function isOutdated({ changedAt }: RunQuestion, { startedAt }: { startedAt: string }) {
  return changedAt !== undefined && startedAt < changedAt;
}

/** Returns a hash of what a question is asked and scored by: its kept fields change no answer. */
function hashOf({ changedAt: _, fields: __, ...question }: RunQuestion): string {
  return sha256Of(canonicalJson(question));
}
