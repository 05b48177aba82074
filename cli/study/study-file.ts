/** Reads a study file, and stores the questions that it names. */
import { dirname } from 'node:path';
import { readOptionsOf } from '../../activities/run/dataset-of.js';
import { checkedCells } from '../../client/study.js';
import type { Metric } from '../../core/metric.js';
import { checkAgainst } from '../../core/options/checked.js';
import { suggestion } from '../../core/options/nearest.js';
import { BadInput, badInput } from '../../core/options/problems.js';
import { type CellRuns, parseStudy, type Study, type StudyInput } from '../../core/study/study.js';
import { checkGroups } from '../../evaluation/comparisons/question-groups.js';
import { metricNamed } from '../../evaluation/comparisons/tested-metrics.js';
import { type ReadOptions, readDataset } from '../../evaluation/dataset/read-dataset.js';
import { previewSnapshot, snapshotRef } from '../../evaluation/dataset/snapshots.js';
import { goldRecallMetric, recallMetric } from '../../evaluation/metrics/built-in.js';
import { chainMetrics } from '../../evaluation/metrics/chain-metrics.js';
import { RECALL_DEPTHS } from '../../evaluation/score-passages.js';
import { parseRunInput } from '../../interpreters/methods.js';

import type { CliContext } from '../context.js';
import { localFile, pathOf } from '../dataset-flag.js';
import { withDrawnStudy } from '../drawn-demonstrations.js';
import { namingFlags, type TypedInput } from '../flags.js';
import { decidingFlags } from '../inputs.js';
import { methodsOf, metricsOf } from '../own-methods.js';
import { readingNotes } from '../run/describe-dataset.js';
import { checkCorpora, withDatasets } from '../stored-dataset.js';
import { parsedYaml } from './plain-yaml.js';

/**
 * A checked study that was read from a file or made from flags: its input, and the path or address
 * of each data set that is a file, by label.
 */
export interface CheckedStudy {
  input: StudyInput;
  study: Study;
  /** The path or address of each data set's file, by the data set's label. */
  files: Map<string, string>;
}

/**
 * Returns the study in a YAML or JSON file, after checking it, with the demonstrations that its
 * methods ask to be drawn. Training questions at an address are downloaded for that.
 *
 * @param rule Stopping rule of the flags, which takes precedence over that of the file.
 * @throws Failure BadInput naming the file and every field of it that is wrong.
 */
export async function readStudyFile(
  file: string,
  context: CliContext,
  rule?: StudyInput['untilDecided'],
): Promise<CheckedStudy> {
  return parsedYaml(file, async (value) => {
    const folder = dirname(file);
    const written = await withDrawnStudy(Object(value) as StudyInput, folder, context);
    const input = rule
      ? { ...written, untilDecided: { ...written.untilDecided, ...rule } }
      : written;
    return checkedStudy(input, folder, context);
  });
}

/**
 * Returns the stopping rule in the typed flags; undefined if it is not asked for.
 *
 * @param isAsked Whether the flag `--until-decided` was typed.
 * @throws Failure BadInput naming a flag that is wrong or has no effect.
 */
export function untilDecidedOf(typed: TypedInput, isAsked = false): StudyInput['untilDecided'] {
  const { untilDecided: rule = {} } = typed.fields;
  return namingFlags(typed, () => {
    const [field] = Object.keys(Object(rule));
    if (field && !isAsked) {
      throw badInput(`untilDecided.${field}`, 'has no effect without --until-decided');
    }
    if (!isAsked) return undefined;
    const checked = checkAgainst(decidingFlags.shape.untilDecided, rule, ['untilDecided']);
    if (checked.problems) throw new BadInput(checked.problems);
    return Object(rule);
  });
}

/**
 * Returns a study in the form of one that was read from a file, after checking its cells and
 * metrics. Its data sets are neither read nor stored.
 *
 * @param folder Folder to which the paths of its data sets are relative.
 * @throws Failure BadInput naming every field that is wrong.
 */
export function checkedStudy(input: StudyInput, folder: string, context: CliContext): CheckedStudy {
  const study = parseStudy(input);
  checkedCells(input, undefined, methodsOf(context));
  checkStudyMetrics(study, context);
  const files = new Map(
    study.datasets.flatMap(({ label, of }) =>
      of.file === undefined ? [] : [[label, pathOf(of.file, folder)] as const],
    ),
  );
  return { input, study, files };
}

/**
 * Throws if a study names a metric that does not exist or that none of its methods has.
 *
 * @throws Failure BadInput.
 */
function checkStudyMetrics({ metrics = [], methods }: Study, context: CliContext): void {
  const shown = (all: readonly Pick<Metric, 'name' | 'title'>[]) =>
    all.map(({ name, title }) => ({ metric: name, title }));
  const registry = methodsOf(context);
  const toldBy = (name: string) => shown(chainMetrics(registry.get(name) ?? {}));
  const ofDepths = RECALL_DEPTHS.flatMap((k) => [recallMetric(k), goldRecallMetric(k)]);
  const always = shown([...metricsOf(context).values(), ...ofDepths]);
  const known = [...always, ...methods.flatMap(({ of }) => toldBy(of.method))];
  for (const [at, name] of metrics.entries()) {
    if (metricNamed(name, known)) continue;
    const tellers = [...registry.keys()].filter((method) => metricNamed(name, toldBy(method)));
    const names = known.map(({ metric }) => metric);
    const message =
      tellers.length > 0
        ? `no method of the study tells "${name}"; ${tellers.join(', ')} can`
        : `there is no metric "${name}"${suggestion(name, names)}`;
    throw new BadInput([{ path: ['metrics', at], message }]);
  }
}

/**
 * Stores the questions of each data set that a study names by a file. Returns a map from the label
 * of each of these to the reference by which a run names the stored questions (`sha256:` and the
 * hash).
 *
 * @throws Failure BadInput for a bad file, naming the line; for a question that needs a search, if
 * no corpus is named.
 */
export async function storeDatasets(
  read: CheckedStudy,
  context: CliContext,
): Promise<ReadonlyMap<string, string>> {
  const datasets = await withDatasets(context, ({ put }) =>
    namesOf(read, context, async (file, options) => {
      const stored = await put(file, options);
      return { name: stored.dataset, notes: readingNotes(stored) };
    }),
  );
  const inputs = cellsIn(read, datasets, context).flatMap((cell) => cell.inputs);
  const specs = inputs.map((input) => parseRunInput(input, methodsOf(context)));
  await checkCorpora(specs, context);
  return datasets;
}

/**
 * Returns a map from the label of each data set that a study names by a file to the reference that
 * it would have if it were stored (`sha256:` and the hash). Stores no data set, but downloads a
 * file at an address.
 */
export function surveyDatasets(
  read: CheckedStudy,
  context: CliContext,
): Promise<ReadonlyMap<string, string>> {
  return namesOf(read, context, async (file, options) => {
    const found = await localFile(file, context);
    const snapshot = await previewSnapshot(readDataset(found.file, options), found.file);
    return { name: snapshotRef(snapshot), notes: readingNotes(snapshot) };
  });
}

/**
 * Returns an array of the data set files that a study names, each with its label, its path or
 * address, and the options for reading it.
 */
export function datasetFilesOf(
  { study, files }: CheckedStudy,
  { config, signal }: CliContext,
): { label: string; file: string; options: ReadOptions }[] {
  return study.datasets.flatMap(({ label, of }) => {
    const file = files.get(label);
    const options = {
      ...readOptionsOf({ ...of, as: of.reader }),
      datasets: config?.datasets,
      signal,
    };
    return file === undefined ? [] : [{ label, file, options }];
  });
}

/**
 * Returns references to the data sets of a study by label, each from `take`, and prints notes about
 * them.
 */
async function namesOf(
  read: CheckedStudy,
  context: CliContext,
  take: (file: string, options: ReadOptions) => Promise<{ name: string; notes: string[] }>,
): Promise<ReadonlyMap<string, string>> {
  const { study } = read;
  const names = new Map<string, string>();
  for (const { label, file, options: reading } of datasetFilesOf(read, context)) {
    // Fetched here, so that its progress is shown; a later reader finds it in the home folder.
    const found = await localFile(file, context);
    if (study.cluster !== undefined) await checkClusters(study.cluster, found.file, reading);
    const { name, notes } = await take(file, reading);
    for (const note of notes) context.reporter.part('Data', `${label}: ${note}`);
    names.set(label, name);
  }
  return names;
}

/**
 * Throws if the questions of a file have too few clusters, before one of them is asked.
 *
 * @throws Failure BadInput for a field that no question has, and for fewer than 20 clusters.
 */
async function checkClusters(field: string, file: string, options: ReadOptions): Promise<void> {
  const clusters = new Map<string, string>();
  const known = new Set<string>();
  for await (const { id, fields = {} } of readDataset(file, options)) {
    clusters.set(id, fields[field] ?? '');
    for (const name of Object.keys(fields)) known.add(name);
  }
  checkGroups([{ clusters: { field, of: clusters }, fields: known }], 'study');
}

/**
 * Returns the names or hashes of the stored questions that the data sets of a study name in their
 * field `stored`, as an array. Data sets that are files have none.
 */
export function storedReferences({ study }: CheckedStudy): string[] {
  return study.datasets.flatMap(({ of }) => of.stored ?? []);
}

/**
 * Returns an array of the cells of a study after checking them, each with its method, data set and
 * model, the names of its runs (`runs`), and the inputs of these in the same order (`inputs`).
 *
 * @param datasets References to the data sets, by label.
 * @throws Failure BadInput naming the fields that are wrong.
 */
export function cellsIn(
  { input }: CheckedStudy,
  datasets: ReadonlyMap<string, string>,
  context: CliContext,
): CellRuns[] {
  return checkedCells(input, datasets, methodsOf(context));
}
