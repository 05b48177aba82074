/** Imports answers of another system as a run, without a model call. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { NORMALISER, scoreInRun } from '../activities/run/score-result.js';
import type { Snapshot } from '../core/dataset-record.js';
import { Failure } from '../core/failure.js';
import type { OwnMetric } from '../core/metric.js';
import { answered, type MethodResult, unanswered } from '../core/result.js';
import { NO_USAGE } from '../core/usage.js';
import { type Snapshots, snapshotRef } from '../evaluation/dataset/snapshots.js';
import { subsetRule } from '../evaluation/dataset/subset.js';
import { withoutPassages } from '../evaluation/gold-passages.js';
import { chosenMetrics, metricRegistry, storedMetric } from '../evaluation/metrics/registry.js';
import { parseMapping, fieldPath as path, valuesAt } from '../files/records/field-path.js';
import { readRecords } from '../files/records/read-records.js';
import { type RecordKind, SourceFile } from '../files/records/source-file.js';
import { methodRegistry, parseRunInput } from '../interpreters/methods.js';
import { PREDICTIONS, withPredictions } from '../interpreters/predictions.js';
import { packageVersion } from '../stores/package-root.js';
import { hashedQuestions } from '../stores/runs/questions-hash.js';
import type {
  RunAnswer,
  RunManifest,
  RunNameLock,
  RunQuestion,
  RunStore,
} from '../stores/runs/run-store.js';

/** Schema of the dotted paths to the id, prediction and cost in a record of the file. */
const predictionFields = z.strictObject({
  id: path,
  prediction: path,
  cost: path.optional(),
});
type PredictionFields = z.output<typeof predictionFields>;

/**
 * Parses the value of a `--fields` flag, and returns the dotted paths to the `id`, the
 * `prediction` and, if it is named, the `cost` in a record.
 *
 * @throws Failure BadInput naming the field that is wrong or missing.
 * @example parsePredictionFields('id=qid,prediction=output.answer,cost=usd')
 */
export function parsePredictionFields(written: string): PredictionFields {
  return parseMapping(predictionFields, written);
}

/**
 * The facts about answers to import: the name of their run, their system and model, their data set,
 * and the paths of the fields in a record.
 */
export interface PredictionsInput {
  /** Name of the run. */
  run: string;
  /** Name of the system that made the answers. */
  system: string;
  /** Its model; undefined if unknown. */
  model?: string | undefined;
  /** Paths to the id, prediction and cost in a record. */
  fields: PredictionFields;
  /** The stored data set with the questions. */
  dataset: Snapshot;
}

/** Stores and custom metrics for `importPredictions`. */
export interface PredictionsOptions {
  runs: RunStore;
  naming: RunNameLock;
  datasets: Pick<Snapshots, 'read'>;
  /** Custom metrics. */
  metrics?: readonly OwnMetric[] | undefined;
  signal?: AbortSignal | undefined;
}

const ANSWERS: RecordKind = {
  noun: 'file of answers',
  accepted: 'answers are JSON Lines, a JSON list, CSV or TSV with a header, or Parquet',
  otherwise: '',
  lists: new Set(['data', 'predictions']),
};

/** Manifest value for unknown facts. */
const UNKNOWN = 'unknown';

/** Maximum number of questions without an answer that a warning names. */
const MOST_NAMED = 3;

/** A record of the file. */
interface Prediction {
  /** The prediction; null if the file has none. */
  text: string | null;
  /** Cost in US dollars; null if the file has none. */
  costUsd: number | null;
  place: string;
}

/**
 * Reads another system's answers from a file, scores them and stores them as a run. Returns its
 * name (`run`), the numbers of `questions` and `answers`, and up to three ids of questions without
 * an answer (`missing`); all such questions count as failed. Unknown facts, such as calls and
 * times, are recorded as unknown.
 *
 * @throws Failure BadInput naming the line of a repeated id, of an id that the data set lacks, or
 * of an invalid value; Conflict if there is a run of that name. Nothing is stored then.
 */
export async function importPredictions(
  file: string,
  { run, system, model = UNKNOWN, fields, dataset }: PredictionsInput,
  { runs, naming, datasets, metrics: own, signal }: PredictionsOptions,
): Promise<{ run: string; questions: number; answers: number; missing: string[] }> {
  const methods = withPredictions(methodRegistry());
  const metrics = metricRegistry(own);
  const source = new SourceFile(file, ANSWERS, signal);
  const predictions = await read(source, fields);
  const records = () => datasets.read(dataset.sha256);
  const ids = new Set<string>();
  for await (const { id } of records()) ids.add(id);
  for (const [id, { place }] of predictions) {
    if (!ids.has(id)) {
      throw source.refuse(`${place}: the data set has no question ${JSON.stringify(id)}`);
    }
  }
  const ref = snapshotRef(dataset);
  const models = { default: model };
  const options = { system };
  const spec = parseRunInput({ run, method: PREDICTIONS, options, dataset: ref, models }, methods);
  const chosen = chosenMetrics({ metrics: undefined, judge: undefined }, metrics).map(storedMetric);
  const ofRun = chosen.length > 0 && { metrics: chosen.map(({ name }) => name) };
  const input = { ...spec, dataset: ref, extraBody: {}, ...ofRun };
  const at = new Date().toISOString();
  const sha256 = await hashOf(file);

  async function answerTo(question: RunQuestion): Promise<RunAnswer> {
    const found = predictions.get(question.id);
    const result = found ? resultOf(question, found) : null;
    const message = `${basename(file)} has no answer to this question.`;
    const { scored } = scoreInRun(input, question, result, {
      metrics,
      methods,
      found: [],
      calls: () => undefined,
    });
    return {
      id: question.id,
      result,
      startedAt: at,
      endedAt: at,
      ...(!result && { failure: { type: 'BadInput', message, step: null } }),
      ...scored,
    };
  }

  async function* questionsOf(): AsyncGenerator<RunQuestion> {
    for await (const record of records()) yield withoutPassages(record);
  }

  const { questions, sha256: questionsSha256 } = hashedQuestions(questionsOf());
  const manifest = (): RunManifest => ({
    run,
    createdAt: at,
    input,
    questions: ids.size,
    questionsSha256: questionsSha256(),
    dataset: { ...dataset, selected: ids.size, rule: subsetRule({}) },
    corpus: null,
    ...(chosen.length > 0 && { metrics: chosen }),
    prompts: {},
    provider: UNKNOWN,
    models,
    embedding: { provider: UNKNOWN, model: UNKNOWN },
    reranker: null,
    prices: {},
    normaliser: NORMALISER,
    versions: { durableRag: packageVersion(), node: process.version },
    predictions: { file: basename(file), sha256, fields: fields as Record<string, string> },
  });
  await naming.holding(run, async () => {
    if (await runs.manifest(run)) {
      const what = `There is already a run "${run}"`;
      throw new Failure('Conflict', `${what}: give this one another name with --name.`);
    }
    // Remains of an interrupted import would count as answers of this one.
    await runs.remove(run);
    try {
      for await (const question of questionsOf()) await runs.put(run, await answerTo(question));
      await runs.begin(run, questions, manifest);
    } catch (error) {
      await runs.remove(run).catch(() => {});
      throw error;
    }
  });
  const missing = [...ids].filter((id) => !predictions.has(id));
  const answers = predictions.size;
  return { run, questions: ids.size, answers, missing: missing.slice(0, MOST_NAMED) };
}

/**
 * Returns the predictions in a file, by the ids of their questions.
 *
 * @throws Failure BadInput naming the line.
 */
async function read(
  source: SourceFile,
  fields: PredictionFields,
): Promise<Map<string, Prediction>> {
  const refuse = (what: string) => source.refuse(what);
  const found = new Map<string, Prediction>();
  for await (const { value, place } of readRecords(source)) {
    const record = Object(value) as object;
    const valueAt = (name: keyof PredictionFields): unknown => {
      const [first, ...others] = valuesAt(record, fields[name]);
      if (others.length === 0) return first;
      throw refuse(`${place}: ${name}=${fields[name]} matches several values; name one of them`);
    };
    const id = textOf(valueAt('id'));
    if (id === undefined) throw refuse(`${place}: there is no id at ${fields.id}`);
    const first = found.get(id);
    if (first) throw refuse(`${first.place} and ${place} have the same id`);
    const given = valueAt('prediction');
    const text = textOf(given);
    if (given !== undefined && text === undefined) {
      throw refuse(`${place}: the value at ${fields.prediction} is not a text`);
    }
    const cost = valueAt('cost');
    const costUsd = cost === undefined ? null : Number(cost);
    if (costUsd !== null && !(Number.isFinite(costUsd) && costUsd >= 0)) {
      throw refuse(`${place}: the value at ${fields.cost} is not a cost in US dollars`);
    }
    found.set(id, { text: text ?? null, costUsd, place });
  }
  if (found.size === 0) throw refuse('is empty: it has no answer');
  if ([...found.values()].every(({ text }) => text === null)) {
    throw refuse(`no record has a text at ${fields.prediction}`);
  }
  return found;
}

/**
 * Returns a text or number as text, and a boolean as "yes" or "no"; undefined for anything else and
 * for blank text.
 */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return String(value).trim() || undefined;
}

/** Returns a prediction as the result of a question; one without a text counts as unknown. */
function resultOf({ question }: RunQuestion, { text, costUsd }: Prediction): MethodResult {
  const end = text === null ? unanswered('unknown', [], {}) : answered(text, [], {});
  return {
    workflowId: '',
    method: PREDICTIONS,
    question,
    ...end,
    usage: { ...NO_USAGE, costUsd, answersWithoutUsage: 1 },
    retrievals: 0,
    steps: {},
    flags: [],
  };
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(file)) hash.update(bytes);
  return hash.digest('hex');
}
