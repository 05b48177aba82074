import { command } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import { unknownRun } from '../../core/run/unknown-run.js';
import { passagesNamed } from './call-records.js';
import type { RunStore } from './run-store.js';

/**
 * Copies a run under another name. Stopped in its middle it leaves no run of that name.
 *
 * @param copyTexts Copies the texts of passages that are kept for the run alone.
 * @throws Failure UnknownRun; Conflict where there is a run of the name.
 */
export async function copyRun(
  run: string,
  name: string,
  runs: RunStore,
  copyTexts: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  const manifest = await runs.manifest(run);
  if (!manifest) throw unknownRun(run);
  if (await runs.manifest(name)) {
    const ways = `give another --name, or "${command('rescore', name)}" to score it again`;
    throw new Failure('Conflict', `There is a run "${name}" already: ${ways}.`);
  }
  // What a stopped copy left would pass for answers of this one.
  await runs.remove(name);
  async function* questions() {
    for await (const { question } of runs.questions(run)) yield question;
  }
  for await (const question of questions()) {
    const answer = await runs.get(run, question.id);
    await copyTexts(passagesNamed(question, answer));
    if (answer) await runs.put(name, answer);
  }
  for (const mark of (await runs.marks(run)).values()) await runs.mark(name, mark);
  const copy = { ...manifest, run: name, input: { ...manifest.input, run: name } };
  await runs.begin(name, questions(), () => copy);
}
