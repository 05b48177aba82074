/** Writes the questions and the manifest of a run that begins, is changed, or is opened for its judge. */

import { isDeepStrictEqual } from 'node:util';
import type { Snapshot } from '../../core/dataset-record.js';
import { methodNamed } from '../../core/method-registry.js';
import { runConflict } from '../../core/object-differences.js';
import { searchesNothing } from '../../core/options/idle-retrieval.js';
import type { Fork, RunSpec, StoredRunSpec } from '../../core/run/input.js';
import { subsetRule, subsetSize } from '../../evaluation/dataset/subset.js';
import { chosenMetrics, storedMetric } from '../../evaluation/metrics/registry.js';
import { runDifferences } from '../../evaluation/runs/run-identity.js';
import { packageVersion } from '../../stores/package-root.js';
import { hashedQuestions } from '../../stores/runs/questions-hash.js';
import type { NoiseCounts, RunManifest } from '../../stores/runs/run-store.js';
import type { OfflinePorts, Ports } from '../runtime/ports.js';
import { changeEntry, recordSetup, replacementQuestions } from './change-run.js';
import { chooseQuestions, subsetOf } from './choose-questions.js';
import { readingOf } from './dataset-of.js';
import { forkedQuestions, parentOf } from './fork.js';
import { type PassageSource, passageSource } from './passage-source.js';
import { chainMetricsOfRun, citingForm } from './run-metrics.js';
import { NORMALISER } from './score-result.js';
import type { WorkerSetup } from './worker-setup.js';

/**
 * A run that is to be begun, changed or judged: its input, its data set, and this worker's setup.
 */
export interface Opening {
  spec: StoredRunSpec;
  snapshot: Snapshot;
  setup: WorkerSetup;
  ports: OfflinePorts;
}

/** Writes the questions of a new run to the store, then its manifest. */
export async function beginRun(opening: Opening, signal: AbortSignal): Promise<void> {
  const { spec, ports } = opening;
  if (spec.fork) return beginFork(spec.fork, opening);
  const { chosen, manifest } = questionsOf(opening, signal);
  const { questions, sha256 } = hashedQuestions(chosen);
  await ports.runs.begin(spec.run, questions, () => manifest(sha256()));
}

/**
 * Returns the chosen questions, and the function that makes the manifest once all have been read.
 */
function questionsOf(opening: Opening, signal: AbortSignal) {
  const { spec, snapshot, ports } = opening;
  const source = passageSource(spec, ports, signal);
  const searches = !searchesNothing(methodNamed(spec.method, ports.methods), spec.options);
  const counts: NoiseCounts = { withoutAnswer: 0, incomplete: 0 };
  const read = readingOf(snapshot.sha256, ports.datasets, signal);
  const { confirmations, passages: store } = ports;
  const parts = { read, source, store, counts, searches, confirmations };
  const all = chooseQuestions(spec, parts);
  let questions = 0;
  async function* chosen() {
    for await (const question of all) {
      questions++;
      yield question;
    }
  }
  return {
    chosen: chosen(),
    manifest: (questionsSha256: string) => ({
      ...manifestOfRun(opening, source, counts),
      questions,
      questionsSha256,
    }),
  };
}

/**
 * Begins a fork. Copies everything that it needs of its parent run, so that the parent can be
 * deleted.
 */
async function beginFork(fork: Fork, opening: Opening): Promise<void> {
  const { spec, ports } = opening;
  const parent = await parentOf(fork, ports);
  const { questions: forked, counts } = await forkedQuestions(fork, spec, parent, ports);
  const { questions, sha256 } = hashedQuestions(forked);
  const corpus = await corpusOfFork(spec, parent, ports);
  await ports.runs.begin(spec.run, questions, () => {
    const { questions: chosen, whole } = counts();
    const taken = {
      corpus,
      questions: chosen,
      questionsSha256: sha256(),
      fork: { whole, prompts: parent.prompts },
    };
    return manifestOfFork(opening, { ...parent, ...taken });
  });
}

/**
 * Returns the description of the corpus that a fork searches: its parent's, unless the options of the
 * parent let it search nothing.
 */
async function corpusOfFork(
  spec: StoredRunSpec,
  parent: RunManifest,
  { methods, describeCorpus }: Pick<OfflinePorts, 'describeCorpus' | 'methods'>,
): Promise<RunManifest['corpus']> {
  const searches = ({ method, options }: Pick<StoredRunSpec, 'method' | 'options'>) =>
    !searchesNothing(methodNamed(method, methods), options);
  if (searches(parent.input) || !searches(spec) || spec.corpus === undefined) return parent.corpus;
  return describeCorpus(spec.corpus);
}

/**
 * Replaces the input, the setup and the metrics of an existing run, and its questions unless it is
 * a fork, and adds the change to its manifest. Its answers stay.
 */
export async function changeRun(
  there: RunManifest,
  differing: string[],
  opening: Opening,
  signal: AbortSignal,
): Promise<void> {
  const { spec, ports } = opening;
  const { runs } = ports;
  const changed = await changeEntry(there, differing, runs);
  const { chosen, manifest } = questionsOf(opening, signal);
  // The questions of a fork come from its parent run, which may be deleted.
  const renewed = spec.fork
    ? undefined
    : hashedQuestions(await replacementQuestions(there.run, chosen, changed.at, runs));
  await runs.change(
    there.run,
    () => ({
      ...(renewed ? manifest(renewed.sha256()) : manifestOfFork(opening, there)),
      createdAt: there.createdAt,
      ...(there.stopped && { stopped: there.stopped }),
      ...(there.rescored && { rescored: there.rescored }),
      ...(there.resampled && { resampled: there.resampled }),
      ...(there.unsupported && { unsupported: there.unsupported }),
      changes: [...(there.changes ?? []), changed],
    }),
    renewed?.questions,
  );
}

/**
 * Replaces the labels of a run's study in its manifest if the new start has other ones; a start
 * without labels changes nothing.
 */
export async function updateStudyLabels(
  there: RunManifest,
  { study }: StoredRunSpec,
  runs: Ports['runs'],
): Promise<void> {
  if (!study || isDeepStrictEqual(there.input.study, study)) return;
  await runs.change(there.run, () => ({ ...there, input: { ...there.input, study } }));
}

/**
 * Checks that the input and data set of an existing run are unchanged, and replaces the setup in
 * its manifest by this worker's, such as prompts, steps and prices, so that only its judge can be
 * asked. The code of the method and the questions stay.
 *
 * @param accepted Whether changes of the setup and of the metrics are accepted.
 * @throws Failure Conflict if the input differs, or if anything else differs without `accepted`.
 */
export async function openForJudge(
  there: RunManifest,
  accepted: boolean | undefined,
  { spec, snapshot, setup, ports }: Opening,
): Promise<void> {
  const fixed = runDifferences(there, { ...there, input: spec, dataset: snapshot });
  if (fixed.length > 0) throw runConflict(spec, fixed);
  // The judge does not need the method.
  const { code: _, ...judging } = setup;
  const here = {
    ...judging,
    ...metricsOfRun(spec, ports),
    ...(there.code && { code: there.code }),
  };
  const ownSteps = here.ownSteps && { ownSteps: { ...here.ownSteps, ...there.ownSteps } };
  const { metrics: _metrics, ...rest } = there;
  const differing = runDifferences({ ...there, ...ownSteps }, { ...rest, ...here });
  if (differing.length > 0 && !accepted) throw runConflict(spec, differing);
  await recordSetup(there, differing, here, ports.runs);
}

function manifestOfRun(
  { spec, snapshot, setup, ports }: Opening,
  source: Pick<PassageSource, 'corpus'>,
  counts: NoiseCounts,
): Omit<RunManifest, 'questionsSha256'> {
  const subset = subsetOf(spec);
  const selected = subsetSize(subset, snapshot.questions);
  const form = ports.methods.get(spec.method)?.form?.(spec.options);
  const answerForm = citingForm(spec, ports.methods) ?? (form === 'short' ? undefined : form);
  return {
    run: spec.run,
    createdAt: new Date().toISOString(),
    input: withoutShare(spec),
    questions: selected - counts.withoutAnswer,
    dataset: { ...snapshot, selected, rule: subsetRule(subset) },
    corpus: source.corpus,
    ...(spec.noise && { noise: counts }),
    ...(answerForm && { answerForm }),
    ...metricsOfRun(spec, ports),
    ...chainMetricsOfRun(spec, ports.methods),
    ...setup,
    models: spec.models,
    normaliser: NORMALISER,
    versions: {
      durableRag: packageVersion(),
      node: process.version,
    },
  };
}

/** Leaves out the budget that a study gave to this cell, since it changes with each round. */
function withoutShare(spec: StoredRunSpec): StoredRunSpec {
  if (!spec.study) return spec;
  const { budgetUsd: _, ...kept } = spec;
  return kept;
}

type TakenRun = Pick<
  RunManifest,
  'corpus' | 'dataset' | 'fork' | 'noise' | 'questions' | 'questionsSha256'
>;

/**
 * Returns the manifest of a fork as it is asked now, over questions that were taken from another
 * run.
 */
function manifestOfFork(opening: Opening, taken: TakenRun): RunManifest {
  const { corpus, dataset, questions, questionsSha256, fork, noise } = taken;
  return {
    ...manifestOfRun(opening, { corpus }, { withoutAnswer: 0, incomplete: 0 }),
    dataset,
    questions,
    questionsSha256,
    ...(fork && { fork }),
    ...(noise && { noise }),
  };
}

/**
 * Returns the metrics of a run besides the built-in ones as the field `metrics` of its manifest;
 * an empty object if there are none. They are those that the run names, or else all custom ones,
 * judged ones only if the run has a judge.
 *
 * @throws Failure BadInput for an unknown metric, or a judged one that is named without a judge.
 */
export function metricsOfRun(
  spec: Pick<RunSpec, 'judge' | 'metrics'>,
  ports: Pick<OfflinePorts, 'metrics'>,
): Pick<RunManifest, 'metrics'> {
  const metrics = chosenMetrics(spec, ports.metrics).map(storedMetric);
  return metrics.length === 0 ? {} : { metrics };
}
