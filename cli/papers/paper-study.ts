/** Adapts the study of a paper's table to the user's models and data. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Failure } from '../../core/failure.js';
import { isObject } from '../../core/is-object.js';
import { badInput } from '../../core/options/problems.js';
import { isDatasetField, modelLabel, type StudyInput } from '../../core/study/study.js';
import { readTextFile } from '../../stores/text-file.js';
import type { CliContext } from '../context.js';
import { withDrawnStudy } from '../drawn-demonstrations.js';
import { plainYaml } from '../study/plain-yaml.js';
import { type CheckedStudy, checkedStudy } from '../study/study-file.js';
import { type PaperDataSet, type PaperFile, paperDataSets, papersFolder } from './paper-files.js';

/**
 * Flags of `papers` that replace the models, data and passages of a paper, and set fields of the
 * runs.
 */
export interface TableFlags {
  /** A model, or THEIRS=MINE for one of several models of the paper. */
  model?: readonly string[] | undefined;
  /** A folder with data sets, or "flashrag". @default 'flashrag' */
  data?: string | undefined;
  /** Whether the passages that come with the questions are used. */
  givenPassages?: boolean | undefined;
  /** Fields of runs and of data sets, as `eval` takes them. */
  fields: Readonly<Record<string, unknown>>;
}

/**
 * The study that reproduces a table with the user's models and data: the study file's content, a
 * function from the paper's models to their labels in the study, and remarks.
 */
export interface TableStudy {
  read: CheckedStudy;
  /**
   * Returns the label in this study for a model of the paper; undefined if that model is not asked.
   * Without an argument, for the paper's first model.
   */
  modelFor: (theirs: string | undefined) => string | undefined;
  /** Remarks: the models of the paper that are not asked, and the source of the questions. */
  notes: string[];
}

/**
 * Returns the study that reproduces a table, with the user's models and data in place of the
 * paper's.
 *
 * @throws Failure BadInput naming the flag that is wrong, or the data set that is missing; and for
 * a table that cannot be reproduced.
 */
export async function tableStudy(
  file: PaperFile,
  flags: TableFlags,
  context: CliContext,
): Promise<TableStudy> {
  const study = await studyInputOf(file);
  const chosen = chosenModels(study.models ?? [], flags.model ?? []);
  const sets = await paperDataSets();
  const methods = study.methods.flatMap((method) =>
    methodAsked(withTraining(method, sets, flags), chosen.labels),
  );
  const datasets = study.datasets.map((one) => datasetAsked(Object(one), sets, flags, chosen.mine));
  const ofRuns = Object.entries(flags.fields).filter(([name]) => !isDatasetField(name));
  const { baseline, ...rest } = study;
  const isThere = methods.some((method) => labelOf(method) === baseline);
  const input = {
    ...rest,
    ...(isThere && { baseline }),
    ...Object.fromEntries(ofRuns),
    methods,
    datasets,
    models: chosen.entries,
  } as StudyInput;
  const [first = ''] = chosen.labels.keys();
  const folder = papersFolder();
  return {
    read: checkedStudy(await withDrawnStudy(input, folder, context), folder, context),
    modelFor: (theirs = first) => chosen.labels.get(theirs),
    notes: chosen.notes,
  };
}

/**
 * Reads the study file of a table, and returns its content as data, with the paper's models and
 * data.
 *
 * @throws Failure BadInput for a table that cannot be reproduced, with the nearest alternative.
 */
export async function studyInputOf({ study, layout }: PaperFile): Promise<StudyInput> {
  if (study !== undefined) return plainYaml(await readTextFile(study)) as StudyInput;
  const { lacks = [], nearest } = layout;
  throw new Failure(
    'BadInput',
    `This table cannot be reproduced: ${lacks.join('; ')}. The nearest alternative: ${nearest}.`,
  );
}

type ModelEntry = NonNullable<StudyInput['models']>[number];

/** Models that are asked in the place of the paper's. */
interface ChosenModels {
  entries: ModelEntry[];
  /** Label of each model in this study, by its label in the study's file. */
  labels: Map<string, string>;
  /** Label of the model used instead of the paper's first one; undefined for the workers' model. */
  mine: string | undefined;
  notes: string[];
}

/**
 * Returns the models to ask in place of the paper's.
 *
 * @throws Failure BadInput for a name that is none of the paper's models.
 */
function chosenModels(models: readonly ModelEntry[], typed: readonly string[]): ChosenModels {
  const theirs = models.map((entry) => {
    const { as, ...steps } = typeof entry === 'string' ? { default: entry } : entry;
    const label = String((entry as { as?: unknown }).as ?? modelLabel(String(steps.default)));
    return { label, steps: Object.entries(steps) as [step: string, model: string][] };
  });
  const known = [...new Set(theirs.flatMap(({ steps }) => steps.map(([, model]) => model)))];
  const main = known[0] ?? '';
  const mine = new Map<string, string>();
  for (const text of typed) {
    const [, before, after] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    const [place, model] = before === undefined ? [main, text] : [before, after ?? ''];
    if (!known.includes(place)) {
      throw badInput(
        'model',
        `"${place}" is not a model of the paper, which uses ${known.join(', ')}`,
      );
    }
    if (mine.has(place)) throw badInput('model', `names two models in place of ${place}`);
    mine.set(place, model);
  }
  const isAsked = (model: string) => mine.has(model) || (typed.length === 0 && model === main);
  const chosen: ChosenModels = { entries: [], labels: new Map(), mine: mine.get(main), notes: [] };
  for (const { label, steps } of theirs) {
    const missing = steps.filter(([, model]) => !isAsked(model)).map(([, model]) => model);
    if (missing.length > 0) {
      const flag = `--model ${missing[0]}=NAME`;
      chosen.notes.push(`${label} was not asked; ${flag} says what is asked in its place.`);
      continue;
    }
    const named = steps.flatMap(([step, model]): [string, string][] => {
      const own = mine.get(model);
      return own === undefined ? [] : [[step, own]];
    });
    const names = [...new Set(named.map(([, model]) => modelLabel(model)))];
    const as = names.length === 0 ? 'default' : names.join('-');
    if (![...chosen.labels.values()].includes(as)) {
      chosen.entries.push({ ...Object.fromEntries(named), as });
    }
    chosen.labels.set(label, as);
  }
  return chosen;
}

type MethodEntry = StudyInput['methods'][number];

function labelOf(method: MethodEntry): unknown {
  if (typeof method === 'string') return method;
  const { as, datasets: _, models: __, ...named } = method;
  return as ?? Object.keys(named)[0];
}

/**
 * Returns a method with the path of the training questions from which its demonstrations are drawn.
 */
function withTraining(
  method: MethodEntry,
  sets: Readonly<Record<string, PaperDataSet>>,
  flags: TableFlags,
): MethodEntry {
  return mapDrawings(method, ({ from, ...drawing }) => {
    const name = String(from);
    const { file, reader } = found(name, setNamed(name, sets), flags.data ?? FLASHRAG);
    return { ...drawing, from: file, ...(reader !== undefined && { reader }) };
  });
}

type Drawing = Readonly<Record<string, unknown>>;

/**
 * Returns a method in whose options each drawing of demonstrations is replaced by the result of
 * `change`.
 */
function mapDrawings(method: MethodEntry, change: (drawing: Drawing) => unknown): MethodEntry {
  if (typeof method === 'string') return method;
  const entries = Object.entries(method).map(([name, options]) => {
    const { demonstrations } = Object(options);
    if (!isObject(demonstrations)) return [name, options];
    return [name, { ...Object(options), demonstrations: change(demonstrations) }];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns a study in which no demonstrations are drawn, so that no training file is needed. It
 * makes the same number of calls.
 */
export function withoutDrawnDemonstrations(study: StudyInput): StudyInput {
  return { ...study, methods: study.methods.map((method) => mapDrawings(method, () => [])) };
}

/**
 * Returns a method with those of its models that are asked, as a list of one; an empty list if none
 * is.
 */
function methodAsked(method: MethodEntry, labels: ReadonlyMap<string, string>): MethodEntry[] {
  if (typeof method === 'string' || !Array.isArray(method.models)) return [method];
  const models = method.models.flatMap((label) => labels.get(label) ?? []);
  return models.length === 0 ? [] : [{ ...method, models: [...new Set(models)] }];
}

function datasetAsked(
  entry: Record<string, unknown>,
  sets: Readonly<Record<string, PaperDataSet>>,
  { data, givenPassages, fields }: TableFlags,
  mine: string | undefined,
): object {
  const name = String(entry.file);
  const set = setNamed(name, sets);
  const { judge, corpus, ...rest } = fields;
  const given = Object.entries(rest).filter(([field]) => isDatasetField(field));
  const asked: Record<string, unknown> = {
    ...entry,
    ...found(name, set, data ?? FLASHRAG),
    ...Object.fromEntries(given),
  };
  if (corpus !== undefined) asked.corpus = corpus;
  if (givenPassages) delete asked.corpus;
  if (entry.judge !== undefined) {
    asked.judge = judge ?? mine;
    if (asked.judge === undefined) {
      throw badInput('judge', 'is missing; this table is judged, so name a model');
    }
  }
  return asked;
}

function setNamed(name: string, sets: Readonly<Record<string, PaperDataSet>>): PaperDataSet {
  const set = sets[name];
  if (set) return set;
  throw new Failure('BadInput', `papers/datasets.json does not have ${name}.`);
}

/** Value of `--data` by which data sets are downloaded from FlashRAG's collection. */
const FLASHRAG = 'flashrag';

/**
 * Returns the file of a data set's questions, and how it is read.
 *
 * @throws Failure BadInput if the folder does not have it, naming the paths that were tried.
 */
function found(
  name: string,
  { title, paths, from }: PaperDataSet,
  data: string,
): { file: string; reader?: string | undefined } {
  const inCollection = name.startsWith(`${FLASHRAG}:`);
  if (data === FLASHRAG) {
    if (inCollection) return { file: name };
    const where = from === undefined ? '' : `; its source is ${from}`;
    throw badInput('data', `FlashRAG does not have ${title}: name a folder that has it${where}`);
  }
  const own = inCollection ? [`${name.slice(FLASHRAG.length + 1)}.jsonl`] : [];
  const places = [...own, ...paths].map((place) => (isObject(place) ? place : { path: place }));
  for (const { path, ...reading } of places) {
    const file = [path, `${path}.gz`]
      .map((one) => resolve(data, one))
      .find((one) => existsSync(one));
    if (file !== undefined) return { file, ...reading };
  }
  const names = places.map(({ path }) => path).join(', ');
  throw badInput('data', `${data} does not have ${title}; looked for ${names}`);
}
