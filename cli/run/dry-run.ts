/** `eval --dry-run` and `plan`: estimates the calls and cost of a run before it starts. */

import { basename } from 'node:path';
import { chooseSameQuestions, subsetOf } from '../../activities/run/choose-questions.js';
import { readingOf, readOptionsOf, withStoredDataset } from '../../activities/run/dataset-of.js';
import { identifyRun } from '../../activities/run/identify-run.js';
import { datasetOf, startRefusal } from '../../activities/run/open-run.js';
import { readQuestions } from '../../activities/run/read-questions.js';
import { unpricedModels } from '../../activities/run/worker-setup.js';
import type { OfflinePorts } from '../../activities/runtime/ports.js';
import type { Snapshot } from '../../core/dataset-record.js';
import { estimateRun, type PriceOf } from '../../core/estimate.js';
import { Failure } from '../../core/failure.js';
import { methodNamed } from '../../core/method-registry.js';
import { runConflict } from '../../core/object-differences.js';
import { datasetLabel } from '../../core/run/dataset-input.js';
import type { RunSpec } from '../../core/run/input.js';
import { withStepDefaults } from '../../core/step-models.js';
import { tierOf } from '../../core/tier.js';
import type { ChosenRecord } from '../../evaluation/dataset/choose-dataset.js';
import { type ReadOptions, readDataset, readGiven } from '../../evaluation/dataset/read-dataset.js';
import { previewSnapshot, snapshotRef } from '../../evaluation/dataset/snapshots.js';
import {
  type ReadSubset,
  subsetRule,
  subsetSize,
  takeSubset,
} from '../../evaluation/dataset/subset.js';
import { chosenMetrics, storedMetric } from '../../evaluation/metrics/registry.js';
import { openRun } from '../../evaluation/runs/run-source.js';
import { planRun, type QuestionsToPlan } from '../../interpreters/plan-run.js';
import { refusePredictions } from '../../interpreters/predictions.js';
import { batchesOf } from '../../llm/batch-endpoint.js';
import { highestPrices, type Pricing } from '../../llm/prices.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import { readConfig } from '../../workers/config.js';
import type { CliContext } from '../context.js';
import { fileOf, localFile } from '../dataset-flag.js';
import type { TypedInput } from '../flags.js';
import type { CommandOutput } from '../print-output.js';
import { DatasetSummary } from './describe-dataset.js';
import {
  type DryRun,
  describeDryRun,
  dryRunJson,
  dryRunLine,
  estimatesOf,
  freeRemarks,
  refusalLines,
} from './describe-dry-run.js';
import { type EvalRun, nameByContents, planInputs } from './eval-input.js';
import { withPlanPorts } from './plan-ports.js';
import { earlierUsage } from './seen-before.js';
import { withRuns } from './with-runs.js';

/** The plan of one run. */
interface Planned {
  spec: RunSpec;
  dry: DryRun;
  /** Lines that describe its questions. */
  lines: readonly string[];
}

/**
 * Returns the output of a dry run: the plan of each run as lines, and as JSON an object for one
 * run or an array for several. No model is asked and no run or data set is stored; only a data set
 * at an address is downloaded, and a missing sample corpus is indexed.
 *
 * @param kept Manifest of the stored run that is planned again.
 */
export async function showDryRun(
  asked: readonly EvalRun[],
  context: CliContext,
  kept?: RunManifest,
): Promise<CommandOutput> {
  const planned = await dryRunsOf(asked, context, { kept });
  const [first, ...others] = planned.map(({ spec, dry }) => dryRunJson(spec, dry));
  const lines = planned.flatMap(({ spec, dry, lines }) => [...lines, ...describeDryRun(spec, dry)]);
  lines.push(...refusalLines(planned.map(({ dry }) => dry)));
  return { value: others.length === 0 ? first : [first, ...others], text: lines.join('\n') };
}

/**
 * Prints a one-line estimate of each run to standard error, planned from at most 200 of its
 * questions, and which models cost nothing. Prints nothing if planning fails with a Failure, which
 * the run itself then reports, or if the model or search engine starts only with the run's own
 * local stack.
 */
export async function printEstimate(asked: readonly EvalRun[], context: CliContext): Promise<void> {
  if (bringsParts(context)) return;
  try {
    const planned = await dryRunsOf(asked, context, { most: SOON });
    for (const { dry } of planned) {
      const line = dryRunLine(dry);
      if (line !== undefined) context.reporter.part('Plan', line);
    }
    const remarks = freeRemarks(planned.map(({ dry }) => dry));
    for (const remark of remarks) context.reporter.part('Free', remark);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}

/** Largest number of questions that are planned while the user waits for a run to start. */
const SOON = 200;

/**
 * Returns whether the model or search engine becomes available only with the run's own local stack.
 */
function bringsParts({ env, config }: CliContext): boolean {
  const { baseUrl, apiKey, elasticsearch } = readConfig(env);
  const hasModel = config?.model ?? (baseUrl || apiKey);
  const hasSearch = !elasticsearch || env.ELASTICSEARCH_URL || env.ELASTICSEARCH_CLOUD_ID;
  return !hasModel || !hasSearch;
}

/** The values on which the planning of several runs depends, besides the runs. */
interface Planning extends Pick<QuestionsToPlan, 'most' | 'paid'> {
  /** The run that is planned again. */
  kept?: RunManifest | undefined;
}

/**
 * Returns an array with, for each run in their order, its input (`spec`), its plan (`dry`) and
 * lines about its questions (`lines`). All runs have the same data set; calls that several of them
 * make are counted with the first. No model is asked and no run or data set is stored; only a data
 * set at an address is downloaded, and a missing sample corpus is indexed.
 *
 * @param planning.paid Keys of calls that earlier runs pay for; those of these runs are added to
 * it.
 */
export async function dryRunsOf(
  asked: readonly EvalRun[],
  context: CliContext,
  { kept, most, paid }: Planning,
): Promise<Planned[]> {
  const [first] = asked;
  const planned: Planned[] = [];
  if (!first) return planned;
  const own = context.config?.model;
  const batching = !own || batchesOf(own) !== undefined;
  await withPlanPorts(context, kept, (ports, pricing) =>
    // The runs of a command differ in their noise alone.
    withQuestions(first.spec, ports, context, async ({ lines, snapshot, read }) => {
      for (const one of asked) {
        const {
          spec: named,
          open,
          refused,
        } = await standing(one, snapshot, { ...ports, batching });
        const { mode } = withStoredDataset(named, snapshot, ports);
        const spec = { ...named, ...(mode && { mode }) };
        const kept = await keptQuestions(spec, snapshot, ports);
        const dry = await dryRun(spec, snapshot, { read, kept, open, most, paid }, ports, pricing);
        const isUnranked = mode !== named.mode;
        planned.push({ spec, dry: { ...dry, isUnranked, refused }, lines });
      }
    }),
  );
  return planned;
}

/**
 * Returns a function that reads the questions of an existing run; undefined if the input selects
 * others or names another data set.
 */
async function keptQuestions(
  spec: RunSpec,
  { sha256 }: Snapshot,
  { runs }: Pick<OfflinePorts, 'runs'>,
): Promise<QuestionsToPlan['kept']> {
  const there = await runs.manifest(spec.run);
  if (there?.dataset.sha256 !== sha256 || !chooseSameQuestions(there.input, spec)) return undefined;
  return async function* questions() {
    for await (const { question } of runs.questions(spec.run)) yield question;
  };
}

/** The questions to plan. */
interface Questions {
  /** Lines that describe them. */
  lines: string[];
  snapshot: Snapshot;
  read: ReadSubset;
}

/**
 * Calls `work` with the questions of a file, of a stored run, or of a stored data set, and returns
 * its result.
 */
async function withQuestions<T>(
  spec: RunSpec,
  ports: OfflinePorts,
  context: CliContext,
  work: (questions: Questions) => Promise<T>,
): Promise<T> {
  const { config, signal } = context;
  const { dataset } = spec;
  const file = fileOf(dataset);
  if (file === undefined && typeof dataset === 'string') {
    const snapshot = await datasetOf(spec, await ports.runs.manifest(spec.run), ports);
    const lines = [`Data set   ${dataset}, as it was put into the store`];
    return work({ lines, snapshot, read: readingOf(snapshot.sha256, ports.datasets, signal) });
  }
  const options = { ...readOptionsOf(spec), datasets: config?.datasets, signal };
  const found = file === undefined ? undefined : await localFile(file, context);
  const all = (more: ReadOptions = {}) =>
    typeof dataset === 'string'
      ? readDataset(found?.file ?? dataset, { ...options, ...more })
      : readGiven(dataset, { ...options, ...more });
  const label = found ? basename(found.file) : `${datasetLabel(dataset)} of the input`;
  const summary = new DatasetSummary();
  const onRecord = (record: ChosenRecord) => summary.add(record);
  const snapshot = await previewSnapshot(all({ onRecord }), label, found?.source);
  const read: ReadSubset = (subset) => takeSubset(all, subset);
  return work({ lines: summary.lines(label, snapshot), snapshot, read });
}

/**
 * Returns the run with its name, the questions that a stored run of that name still has to ask
 * (undefined without one), and why the workers would refuse it.
 */
async function standing(
  { spec, isNamed }: EvalRun,
  snapshot: Snapshot,
  { batching, ...ports }: Omit<OfflinePorts, 'batching'> & { batching: boolean },
): Promise<{ spec: RunSpec } & Pick<DryRun, 'refused'> & Pick<QuestionsToPlan, 'open'>> {
  const { acceptChange, ...asked } = spec;
  const datasets = { ...ports.datasets, find: async () => snapshot };
  const identify = (run: string) =>
    identifyRun({ ...asked, dataset: snapshotRef(snapshot), run }, { ...ports, datasets });
  const first = await identify(spec.run);
  const named = isNamed ? spec : nameByContents(spec, first.contents);
  const { differences } = isNamed ? first : await identify(named.run);
  const planned = withStepDefaults(named, ports.usual);
  const refusal = startRefusal(planned, { ...ports, batching });
  const refused = refusal === undefined ? {} : { refused: refusal };
  if (differences.length > 0 && !acceptChange) {
    return { spec: planned, refused: refusal ?? runConflict(planned, differences).message };
  }
  if (!(await ports.runs.manifest(named.run))) return { spec: planned, ...refused };
  const open = new Map<string, { toJudge?: true }>();
  for (let from: number | null = 0; from !== null; ) {
    const page = await readQuestions({ run: named.run, from }, ports);
    for (const question of page.questions) open.set(question.id, question);
    from = page.next;
  }
  return { spec: planned, open, ...refused };
}

/**
 * Returns the plan of a run.
 *
 * @throws Failure BadInput for a data set or a corpus that the run itself would refuse.
 */
async function dryRun(
  spec: RunSpec,
  { sha256, questions }: Snapshot,
  toPlan: QuestionsToPlan,
  ports: OfflinePorts,
  pricing: Pricing,
): Promise<Omit<DryRun, 'isUnranked' | 'refused'>> {
  const plan = await planRun(spec, toPlan, ports);
  // The input does not name the model of the workers, which the plan knows.
  const asked = [...plan.steps, ...plan.judging].map(({ step, model }) => [step, model] as const);
  const price: PriceOf = (model, _, longest) => highestPrices(model, pricing, undefined, longest);
  const atTier: PriceOf = (model, step, longest) => {
    const tier = spec.transport ? 'batch' : tierOf(step, spec.tier);
    return highestPrices(model, pricing, tier === 'standard' ? undefined : tier, longest);
  };
  return {
    method: methodNamed(spec.method, ports.methods),
    selected: spec.fork ? plan.questions : subsetSize(subsetOf(spec), questions),
    rule: spec.fork ? `of the run ${spec.fork.run}` : subsetRule(subsetOf(spec)),
    metrics: chosenMetrics(spec, ports.metrics).map(storedMetric),
    plan,
    assumedFree: unpricedModels({ models: Object.fromEntries(asked) }, ports).free,
    ...estimatesOf(plan, price, spec),
    ...((spec.tier || spec.transport) && {
      atTierUsd: estimateRun([...plan.steps, ...plan.judging], atTier).costUsd,
    }),
    before: await earlierUsage(spec, sha256, ports.runs),
  };
}

/**
 * Returns the output of `plan`: the plan of asking a stored run again. No model is asked and no run
 * or data set is stored; only a data set at an address is downloaded, and a missing sample corpus
 * is indexed.
 *
 * @param name Name of the stored run.
 * @param typedOn Returns the run's input with the typed flags applied to it.
 * @throws Failure UnknownRun; Conflict if its answers were imported.
 */
export async function planStoredRun(
  name: string,
  typedOn: (input: TypedInput['fields']) => Promise<TypedInput>,
  context: CliContext,
): Promise<CommandOutput> {
  const { manifest } = await withRuns(context, (runs) => openRun(runs, name));
  refusePredictions(manifest);
  const runs = planInputs(await typedOn(manifest.input), name, context);
  return showDryRun(runs, context, manifest);
}
