import { command } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import { unknownRun } from '../../core/run/unknown-run.js';
import { passageIdsOf } from './call-records.js';
import type { RunManifest, RunNameLock, RunStore } from './run-store.js';

/**
 * Copies a run with its answers and marks under another name. If it is interrupted, no run of that
 * name exists. Does nothing if the copy exists already.
 *
 * @param copyTexts Copies the texts of the passages with these ids, which are stored for the run
 * only.
 * @throws Failure UnknownRun; Conflict if there is another run of that name.
 */
export async function copyRun(
  run: string,
  name: string,
  { runs, naming }: { runs: RunStore; naming: RunNameLock },
  copyTexts: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  const manifest = await runs.manifest(run);
  if (!manifest) throw unknownRun(run);
  await naming.holding(name, async () => {
    const there = await runs.manifest(name);
    if (there?.copyOf === run) return;
    if (there) {
      const ways = `give another --name, or "${command('rescore', name)}" to score it again`;
      throw new Failure('Conflict', `There is already a run "${name}": ${ways}.`);
    }
    await copy(manifest, name, runs, copyTexts);
  });
}

async function copy(
  manifest: RunManifest,
  name: string,
  runs: RunStore,
  copyTexts: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  const { run } = manifest;
  // Remains of an interrupted copy would pass for answers of this one.
  await runs.remove(name);
  async function* questions() {
    for await (const { question } of runs.questions(run)) yield question;
  }
  for await (const question of questions()) {
    const answer = await runs.get(run, question.id);
    await copyTexts(passageIdsOf(question, answer));
    if (answer) await runs.put(name, answer);
  }
  for (const mark of (await runs.marks(run)).values()) await runs.mark(name, mark);
  const copied = { ...manifest, run: name, copyOf: run, input: { ...manifest.input, run: name } };
  await runs.begin(name, questions(), () => copied);
}
