/** `study export`, `import`, `rerun` and `delete`: archives, restores, repeats and deletes studies. */
import type { Results } from '../../client/open-results.js';
import { command } from '../../core/command.js';
import { Failure, succeeds } from '../../core/failure.js';
import { unknownStudy } from '../../core/run/unknown-run.js';
import { parseStudy, type StudyInput } from '../../core/study/study.js';
import { snapshotRef } from '../../evaluation/dataset/snapshots.js';
import { plural } from '../../evaluation/runs/number-text.js';
import { studyRuns } from '../../evaluation/study/study-of.js';
import { readRunArchive } from '../../stores/runs/run-archive.js';
import { type RunManifest, type RunStore, sortNewestFirst } from '../../stores/runs/run-store.js';
import {
  type StudyDataset,
  type UnpackedStudy,
  withStudyArchive,
  writeStudyArchive,
} from '../../stores/runs/study-archive.js';
import type { CliContext } from '../context.js';
import { type CommandOutput, checkOut } from '../print-output.js';
import { type DeleteFlags, deleteFound } from '../run/keep-runs.js';
import { withResults } from '../run/with-runs.js';
import { withDatasets } from '../stored-dataset.js';
import { storedStart, tunesAmong } from '../tune/stored-tune.js';
import { checkedStudy } from './study-file.js';

/**
 * Writes a study into one archive: its definition, its data sets, and its runs with the texts of
 * their passages; for a tune also the stored run that it starts from. Warns about data sets that
 * are no longer stored, and leaves them out. Returns the output of the command: as JSON an object
 * with `study`, `file`, `runs` (names) and `datasets` (labels).
 *
 * @throws Failure UnknownRun if no run of the study is kept; BadInput if the file is a folder.
 */
export function exportStudy(
  study: string,
  file: string,
  context: CliContext,
): Promise<CommandOutput> {
  checkOut(file, `${study}.tar.gz`);
  return withResults(context, ({ runs, texts }) =>
    withDatasets(context, async (stored) => {
      const manifests = studyRuns(await runs.list(), study);
      if (manifests.length === 0) throw unknownStudy(study);
      const definition = definitionOf(manifests) ?? null;
      const datasets = [];
      for (const { label, ...one } of datasetsOf(manifests)) {
        const isKept = await succeeds(stored.find(snapshotRef(one)));
        if (isKept) datasets.push({ label, ...one, read: () => stored.read(one.sha256) });
        else
          context.reporter.warn(
            `The questions of ${label} are no longer in the store: "study rerun" needs them.`,
          );
      }
      const start = storedStart(manifests);
      const isThere = start !== undefined && (await runs.manifest(start)) !== undefined;
      const names = [...manifests.map(({ run }) => run), ...(isThere ? [start] : [])];
      await writeStudyArchive({ study, definition, runs: names, datasets }, file, { runs, texts });
      return {
        value: { study, file, runs: names, datasets: datasets.map(({ label }) => label) },
        text: `${study}: ${plural(names.length, 'run')} into ${file}`,
        next: `on the other machine: ${command('study', 'import', file)}`,
      };
    }),
  );
}

/** Returns the definition of a study that its newest run records; undefined if none records one. */
function definitionOf(manifests: readonly RunManifest[]): object | undefined {
  const kept = manifests.filter(({ input }) => input.study?.definition);
  return sortNewestFirst(kept)[0]?.input.study?.definition;
}

/** Returns the data sets of a study's runs, each once. */
function datasetsOf(manifests: readonly RunManifest[]): StudyDataset[] {
  const found = new Map<string, StudyDataset>();
  for (const { input, dataset } of manifests) {
    const { file, sha256, source } = dataset;
    const label = input.study?.dataset ?? file;
    found.set(label, { label, file, sha256, ...(source && { source }) });
  }
  return [...found.values()];
}

/**
 * Imports the runs and data sets of a study from an archive, and returns the output of the
 * command: as JSON an object with `study`, `file`, `runs` (names) and `answers` (their number).
 * Each run is imported completely or not at all. Another import of the study at the same time
 * waits for this one.
 *
 * @throws Failure Conflict if some run names exist already; the other runs are imported all the
 * same.
 */
export function importStudy(file: string, context: CliContext): Promise<CommandOutput> {
  return withStudyArchive(file, (archive) =>
    withResults(context, (results) =>
      results.naming.holding(`study/${archive.study}`, () =>
        importRuns(archive, file, results, context),
      ),
    ),
  );
}

async function importRuns(
  { study, runs, datasets }: UnpackedStudy,
  file: string,
  results: Results,
  context: CliContext,
): Promise<CommandOutput> {
  const lost: string[] = [];
  let answers = 0;
  for (const { run, file } of runs) {
    try {
      answers += (await readRunArchive(file, results)).answers;
    } catch (error) {
      if (!(error instanceof Failure) || error.type !== 'Conflict') throw error;
      lost.push(run);
    }
  }
  await keepDatasets(datasets, context);
  if (lost.length > 0) {
    const are = `${lost.length} of ${plural(runs.length, 'run')} of "${study}" are here already: ${lost.join(', ')}.`;
    const others = lost.length < runs.length ? ' The others have been imported.' : '';
    throw new Failure('Conflict', `${are}${others}`);
  }
  return {
    value: { study, file, runs: runs.map(({ run }) => run), answers },
    text: `${study}: ${plural(runs.length, 'run')}, ${plural(answers, 'answer')}`,
    next: command(await tableCommand(study, results.runs), 'table', study),
  };
}

/** Returns the name of the command group whose `table` shows the study. */
async function tableCommand(study: string, runs: RunStore): Promise<'study' | 'tune'> {
  return tunesAmong([study], await runs.list()).length > 0 ? 'tune' : 'study';
}

/** Stores the data sets of an archive, and returns references to them by label. */
function keepDatasets(
  datasets: UnpackedStudy['datasets'],
  context: CliContext,
): Promise<Map<string, string>> {
  return withDatasets(context, async ({ keep }) => {
    const names = new Map<string, string>();
    for (const { label, file, source, read } of datasets) {
      names.set(label, snapshotRef(await keep(read, file, source)));
    }
    return names;
  });
}

/** Flags of `study rerun`. */
interface RerunFlags {
  name?: string | undefined;
  /** Model to ask in place of those that the study names. */
  model?: string | undefined;
  dryRun?: boolean | undefined;
  detach?: boolean | undefined;
}

/**
 * Runs the study in an archive again under another name, and follows it to its end. Returns the
 * output of the command; for a dry run, the plan. The data sets in the archive are stored first,
 * also for a dry run.
 *
 * @throws Failure BadInput if the archive lacks the study's definition or one of its data sets.
 */
export async function rerunStudy(
  file: string,
  { name, model, dryRun, detach }: RerunFlags,
  context: CliContext,
): Promise<CommandOutput> {
  const { study, input } = await withStudyArchive(file, async ({ study, definition, datasets }) => {
    const refuse = (what: string) => new Failure('BadInput', `${file} ${what}.`);
    if (!definition)
      throw refuse('does not hold the file of a study: a program had started it, or it is a tune');
    const stored = await keepDatasets(datasets, context);
    const input = definition as StudyInput;
    const parsed = parseStudy(input);
    const sets = parsed.datasets.map(({ label, of }) => {
      const { file: _, as: __, reader: ___, fields, kind, ...asked } = of;
      const ref = stored.get(label);
      if (ref === undefined) throw refuse(`does not hold the questions of ${label}`);
      return { ...asked, stored: ref, as: label };
    });
    return { study, input: { ...input, datasets: sets } };
  });
  const { command: _, ...rest } = input;
  const again = {
    ...rest,
    name: name ?? `${study}-again`,
    ...(model !== undefined && { models: [model] }),
  } as StudyInput;
  const read = checkedStudy(again, '.', context);
  if (dryRun) return (await import('./dry-run-study.js')).dryRunStudy(read, context);
  return (await import('./run-study.js')).runStudy(read, { detach }, context);
}

/**
 * Deletes all runs of a study, including those of removed cells, and the study's own histories,
 * after a confirmation. Returns the output of the command.
 *
 * @throws Failure Conflict while it is under way; UnknownRun; and as `deleteFound`.
 */
export function deleteStudy(
  study: string,
  flags: DeleteFlags,
  context: CliContext,
): Promise<CommandOutput> {
  return deleteFound(study, flags, context, async (results, session) => {
    const runs = await runsNamed(study, results.runs);
    return {
      question: `Delete the study ${study} with its ${runs.length} runs?`,
      runs,
      what: `${runs.length} runs`,
      confirmation: { study, runs: runs.length },
      before: async () => (await session?.client.deleteStudy(study)) ?? 0,
    };
  });
}

/** Returns the names of a study's runs. @throws Failure UnknownRun if none is kept. */
async function runsNamed(study: string, runs: RunStore): Promise<string[]> {
  const names = studyRuns(await runs.list(), study).map(({ run }) => run);
  if (names.length === 0) {
    throw unknownStudy(study);
  }
  return names;
}
