/**
 * A study: methods by data sets by models by repeats, and the runs that it consists of. Not for
 * workflows, since it hashes.
 */
import { z } from 'zod';
import { canonicalJson } from '../canonical-json.js';
import { NAME_PATTERN, NAME_RULE } from '../name.js';
import { parsedBy } from '../options/checked.js';
import { suggestion } from '../options/nearest.js';
import { BadInput, type Problem } from '../options/problems.js';
import { nonEmpty, positive } from '../options/ranges.js';
import { READING_FIELDS, splitReading } from '../run/dataset-input.js';
import { identityOf, type RunInput, type RunSpec, runInput } from '../run/input.js';
import { sha256Of } from '../sha256.js';
import type { StudyCell } from './cell.js';
import { untilDecided } from './until-decided.js';

const name = z.string().regex(NAME_PATTERN, { error: NAME_RULE });

/**
 * Schema of a method in a study file: its name, or `{ NAME: options }` with a label (`as`) and the
 * data sets and models it runs on.
 */
export const methodEntry = z.union([
  nonEmpty,
  z.record(
    z.string(),
    z.union([z.string(), z.array(z.string()), z.record(z.string(), z.unknown())]),
  ),
]);

/** Schema of a model in a study file: its name, or models by step, with a label (`as`). */
export const modelEntry = z.union([nonEmpty, z.record(z.string(), z.unknown())]);

const { as: reader, ...read } = runInput.pick(READING_FIELDS).shape;

/**
 * Schema of a data set in a study file: its file or stored name, its label (`as`), and the fields
 * of a run that select and read its questions.
 */
export const datasetEntry = z.strictObject({
  file: nonEmpty.optional().describe('file of questions, from the folder of the study'),
  stored: nonEmpty.optional().describe('name or hash of stored questions'),
  as: name.optional().describe('name in tables; left out, the name of the file'),
  reader,
  ...read,
  ...runInput.pick({
    corpus: true,
    mode: true,
    limit: true,
    sample: true,
    sampleSeed: true,
    noise: true,
    ownPassages: true,
    requireAnswers: true,
    judge: true,
  }).shape,
});

/** Returns whether a field of a run's input belongs to a data set's entry in a study file. */
export function isDatasetField(field: string): boolean {
  return field in datasetEntry.shape;
}

const shared = runInput.pick({
  tier: true,
  extraBody: true,
  outputs: true,
  prompts: true,
  seed: true,
  cache: true,
  limits: true,
  budgetPerQuestionUsd: true,
  transport: true,
  concurrency: true,
  tenant: true,
  requestsPerMinute: true,
  tokensPerMinute: true,
  pauseAfter: true,
  pauseIfFirst: true,
  command: true,
});

/** Schema of the content of a study file. */
const studyInput = shared.extend({
  name: name.describe('name of the study'),
  methods: z
    .array(methodEntry)
    .min(1)
    .describe(
      'methods, each a name, or { NAME: options }, with "as" for its name in tables, and "datasets" and "models" for those it is asked on, by their names in tables (left out, all)',
    ),
  datasets: z
    .array(z.union([nonEmpty, datasetEntry]))
    .min(1)
    .describe('files of questions, or { file, ... } with the fields of eval that select questions'),
  models: z
    .array(modelEntry)
    .min(1)
    .optional()
    .describe('models, each a name, or a model by step, with "as"; left out, that of the workers'),
  repeats: z.int().min(1).max(100).default(1).describe('how often each question is asked'),
  baseline: nonEmpty.optional().describe('method that the others are compared with'),
  metrics: z
    .array(nonEmpty)
    .min(1)
    .optional()
    .describe('metrics that are compared, by name; left out, the main metric of each data set'),
  cluster: nonEmpty
    .optional()
    .describe('field, such as a document; questions with the same value count as one draw'),
  ownMetrics: runInput.shape.metrics.describe(
    'metrics of your own that are scored, by name; all that the workers have when left out',
  ),
  budgetUsd: positive().optional().describe('budget of all runs together, in US dollars'),
  untilDecided: untilDecided
    .optional()
    .describe('stops asking once the comparisons with the baseline are decided'),
});

/** The content of a study file as its author writes it, without defaults. */
export type StudyInput = z.input<typeof studyInput>;
type StudySpec = z.output<typeof studyInput>;

interface Entry<T> {
  label: string;
  of: T;
}

/** A method of a study, with the labels of the data sets and models it runs on; left out, all. */
interface MethodEntry extends Entry<{ method: string; options: Record<string, unknown> }> {
  datasets?: readonly string[];
  models?: readonly string[];
}

/**
 * A checked study: its methods, data sets and models, each with its label and its content (`of`),
 * and the other fields of its file with defaults.
 */
export interface Study extends Omit<StudySpec, 'methods' | 'datasets' | 'models'> {
  methods: MethodEntry[];
  datasets: Entry<z.output<typeof datasetEntry>>[];
  models: Entry<RunInput['models']>[];
  /** The content of the study file, as written. */
  definition: Record<string, unknown>;
}

/**
 * Checks the content of a study file, and returns the study with defaults and a label for each
 * entry.
 *
 * @throws Failure BadInput naming every field that is wrong.
 */
export function parseStudy(input: unknown): Study {
  const { methods, datasets, models = [{ as: 'default' }], ...rest } = parsedBy(studyInput, input);
  const problems: Problem[] = [];
  const study: Study = {
    ...rest,
    definition: { ...Object(input) },
    methods: methods.map((entry, at) => methodOf(entry, ['methods', at], problems)),
    datasets: datasets.map((entry, at) => datasetOf(entry, ['datasets', at], problems)),
    models: models.map((entry, at) => modelOf(entry, ['models', at], problems)),
  };
  const isTwice = (part: 'datasets' | 'methods' | 'models', at: number, label: string) => {
    const message = `has the name "${label}", like another one; give one of them another name with "as"`;
    problems.push({ path: [part, at], message });
  };
  for (const part of ['datasets', 'models'] as const) {
    const labels = study[part].map(({ label }) => label);
    labels.forEach((label, at) => {
      if (labels.indexOf(label) !== at) isTwice(part, at, label);
    });
    for (const [at, { [part]: named = [] }] of study.methods.entries()) {
      for (const unknown of named.filter((label) => !labels.includes(label))) {
        const message = `"${unknown}" is not in ${part}${suggestion(unknown, labels)}`;
        problems.push({ path: ['methods', at, part], message });
      }
    }
  }
  const taken = new Set<string>();
  study.methods.forEach(({ label }, at) => {
    const own = placesOf(study)
      .filter(({ method }) => method === study.methods[at])
      .map(({ set, model }) => JSON.stringify([label, set.label, model.label]));
    if (own.some((cell) => taken.has(cell))) isTwice('methods', at, label);
    for (const cell of own) taken.add(cell);
  });
  const { baseline, cluster, untilDecided: rule } = study;
  if (rule && cluster !== undefined) {
    const message = 'has no effect with untilDecided, whose test treats each question as one draw';
    problems.push({ path: ['cluster'], message });
  }
  const called = study.methods.map(({ label }) => label);
  if (rule && (baseline === undefined || called.length < 2)) {
    const message = 'needs a baseline (baseline) and another method that is compared with it';
    problems.push({ path: ['untilDecided'], message });
  }
  if (rule?.about === 'thisDataset' && rule.failures === 'leftOut') {
    const message = 'must be "wrong" if the decision is about this data set: every question counts';
    problems.push({ path: ['untilDecided', 'failures'], message });
  }
  const isOfMethods = problems.some(({ path }) => path[0] === 'methods');
  if (baseline !== undefined && !called.includes(baseline) && !isOfMethods) {
    const message = `"${baseline}" is not in methods${suggestion(baseline, called)}`;
    problems.push({ path: ['baseline'], message });
  }
  if (problems.length > 0) throw new BadInput(problems);
  return study;
}

/**
 * Returns the `label` of a method entry in a study file, its `method` and `options` (in `of`), and
 * the labels of the `datasets` and `models` it runs on, each absent if the entry names none.
 * Problems of the entry are appended to `problems`; a part that cannot be read then has a
 * placeholder or is absent.
 *
 * @param path Path of the entry in the file.
 */
export function methodOf(
  entry: z.output<typeof methodEntry>,
  path: PropertyKey[],
  problems: Problem[],
): Study['methods'][number] {
  if (typeof entry === 'string') return { label: entry, of: { method: entry, options: {} } };
  const { as, datasets, models, ...named } = entry;
  const [[method, options] = ['', {}], ...others] = Object.entries(named);
  if (others.length > 0 || typeof options === 'string' || Array.isArray(options)) {
    const beside = '"as", "datasets" and "models" beside it';
    problems.push({ path, message: `must be a name, or { NAME: options }, with ${beside}` });
    return { label: String(path.at(-1)), of: { method, options: {} } };
  }
  const label = labelOf(as, method, path, problems);
  return {
    label,
    of: { method, options },
    ...labelsIn('datasets', datasets, path, problems),
    ...labelsIn('models', models, path, problems),
  };
}

/**
 * Returns the labels of the data sets or models that a method runs on, under the name of the field.
 */
function labelsIn<F extends 'datasets' | 'models'>(
  field: F,
  named: unknown,
  path: PropertyKey[],
  problems: Problem[],
): Partial<Record<F, string[]>> {
  if (named === undefined) return {};
  const isList = Array.isArray(named) && named.length > 0;
  if (isList && named.every((label) => typeof label === 'string')) {
    return { [field]: named } as Record<F, string[]>;
  }
  const message = `must be a list of names of ${field} in tables (as)`;
  problems.push({ path: [...path, field], message });
  return {};
}

/** Returns the cells of a study with their numbers (`place`), data set by data set. */
function placesOf({ methods, datasets, models }: Pick<Study, 'datasets' | 'methods' | 'models'>) {
  return datasets.flatMap((set, row) =>
    models.flatMap((model, column) =>
      methods.flatMap((method, at) => {
        const isAsked =
          (method.datasets?.includes(set.label) ?? true) &&
          (method.models?.includes(model.label) ?? true);
        const place = (row * models.length + column) * methods.length + at;
        return isAsked ? [{ set, model, method, place }] : [];
      }),
    ),
  );
}

function datasetOf(
  entry: string | z.output<typeof datasetEntry>,
  path: PropertyKey[],
  problems: Problem[],
): Study['datasets'][number] {
  const of = typeof entry === 'string' ? datasetEntry.parse({ file: entry }) : entry;
  const source = of.file ?? of.stored;
  if (source === undefined || (of.file !== undefined && of.stored !== undefined)) {
    problems.push({ path, message: 'must have either file or stored' });
  }
  const file = (source ?? '').replace(/^.*[\\/]/, '').replace(/\..*$/, '');
  return { label: labelOf(of.as, file, path, problems), of };
}

function modelOf(
  entry: z.output<typeof modelEntry>,
  path: PropertyKey[],
  problems: Problem[],
): Study['models'][number] {
  if (typeof entry === 'string') {
    return { label: modelLabel(entry), of: { default: entry } };
  }
  const { as, ...models } = entry;
  const usual = typeof models.default === 'string' ? modelLabel(models.default) : '';
  const label = labelOf(as, Object.keys(models).length === 1 ? usual : '', path, problems);
  return { label, of: models as RunInput['models'] };
}

function labelOf(as: unknown, otherwise: string, path: PropertyKey[], problems: Problem[]): string {
  const label = as ?? otherwise;
  if (typeof label === 'string' && NAME_PATTERN.test(label)) return label;
  const message = `is missing; the entry needs a name for tables, which ${NAME_RULE}`;
  problems.push({ path: [...path, 'as'], message });
  return String(path.at(-1));
}

/**
 * Returns a model's name as a label: letters, digits, ".", "_" and "-" stay, each run of other
 * characters becomes "-", and the label begins with the first letter or digit. "org/model:tag"
 * becomes "org-model-tag".
 */
export function modelLabel(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
}

/**
 * Returns the seed of a repeat. The first has the study's seed, so that it shares cached calls with
 * a run of the same options. The others have hashed seeds, different from those of samples
 * (`sampleSeed`), so that a repeat shares no calls with a sample.
 *
 * @param repeat Number of the repeat, from 1.
 */
export function seedOfRepeat(seed: number, repeat: number): number {
  if (repeat === 1) return seed;
  return Number.parseInt(sha256Of(canonicalJson({ seed, repeat }), 12), 16) % 2 ** 31;
}

/**
 * A cell of a study, one method on one data set with one model, with the names and the inputs of
 * its runs, one for each repeat.
 */
export interface CellRuns extends StudyCell {
  /** Inputs of the runs, one per repeat, in the order of `runs`. */
  inputs: RunInput[];
}

/**
 * Returns the cells of a study with the inputs of their runs: data set by data set, within these
 * model by model, and within these method by method. A run's name contains its cell and a hash of
 * its input, so a changed cell has other runs.
 *
 * @param datasets Names of the stored questions by label of the data set; a label that is missing
 * has the name in `stored` of its entry, or ''.
 */
export function cellsOf(study: Study, datasets: ReadonlyMap<string, string>): CellRuns[] {
  const { methods: _, datasets: __, models: ___, budgetUsd: ____, ...stated } = study;
  const { repeats, baseline, definition, ...common } = stated;
  const { name: studyName, untilDecided: rule, metrics, cluster, ownMetrics, ...same } = common;
  const places = placesOf(study);
  const pairs = places.filter(
    ({ method, set, model }) =>
      method.label !== baseline &&
      places.some(
        (other) => other.method.label === baseline && other.set === set && other.model === model,
      ),
  );
  const comparisons = pairs.length * (metrics?.length ?? 1);
  const repeated = Array.from({ length: repeats }, (_, at) => at + 1);
  return places.map(({ set, model, method, place }): CellRuns => {
    const labels = { method: method.label, dataset: set.label, model: model.label };
    const { file: _file, stored, reader: _reader, ...of } = set.of;
    const { asked } = splitReading(of);
    const dataset = datasets.get(set.label) ?? stored ?? '';
    const inputs = repeated.map((repeat): RunInput => {
      const input = {
        ...same,
        ...(ownMetrics && { metrics: ownMetrics }),
        ...asked,
        ...method.of,
        // The first questions of every cell are the same, and a random sample of all.
        shuffle: true,
        ...(model.of && { models: model.of }),
        dataset,
        seed: seedOfRepeat(study.seed, repeat),
      };
      const where = [studyName, ...Object.values(labels), `r${repeat}`].join('.');
      // Limits and speed may change in the middle of a study.
      const hash = sha256Of(canonicalJson(identityOf(input as unknown as RunSpec)), HASH_DIGITS);
      const run = `${where.slice(0, MOST_CHARACTERS)}-${hash}`;
      const of = {
        name: studyName,
        ...labels,
        place,
        repeat,
        ...(baseline && comparisons > 0 && { baseline, comparisons }),
        ...(metrics && { metrics }),
        ...(cluster !== undefined && { cluster }),
        ...(rule && { untilDecided: rule }),
        // Only one of its runs stores the definition, since a study may have hundreds of runs.
        ...(place === places[0]?.place && repeat === 1 && { definition }),
      };
      return { ...input, run, study: of } as RunInput;
    });
    return { ...labels, runs: inputs.map(({ run }) => run), inputs };
  });
}

/**
 * Returns the path in a study of a field of a run's input: in the entry of the run's method, data
 * set or model, or in the study itself.
 *
 * @param place Position of the run's cell, from 0, among all combinations of data set, model and
 * method, including those that are not asked.
 */
export function pathInStudy(
  study: Study,
  place: number,
  path: readonly PropertyKey[],
): PropertyKey[] {
  const [field = '', ...inside] = path;
  const cell = placesOf(study).find((one) => one.place === place);
  if (!cell) return [...path];
  const { method, model, set } = cell;
  const at = study.methods.indexOf(method);
  if (field === 'method') return ['methods', at];
  if (field === 'options') return ['methods', at, method.of.method, ...inside];
  if (field === 'models') return ['models', study.models.indexOf(model), ...inside];
  return field in set.of ? ['datasets', study.datasets.indexOf(set), ...path] : [...path];
}

const HASH_DIGITS = 8;
/** Maximum number of characters before the hash, since a run's name has at most 100. */
const MOST_CHARACTERS = 100 - 1 - HASH_DIGITS;
