/** Begins a run, or resumes an existing one. */

import { isDeepStrictEqual } from 'node:util';
import type { Snapshot } from '../../core/dataset-record.js';
import { runConflict } from '../../core/differences.js';
import { Failure } from '../../core/failure.js';
import { refuseSecrets } from '../../core/options/extra-body.js';
import { searchesNothing } from '../../core/options/idle-retrieval.js';
import { badInput } from '../../core/options/problems.js';
import { methodNamed } from '../../core/registry.js';
import {
  type Fork,
  type RunSpec,
  type StoredRunSpec,
  splitStartFields,
} from '../../core/run/input.js';
import { modelFor, modelNames, withStepDefaults } from '../../core/step-models.js';
import { ruleOf, sizeOf } from '../../evaluation/dataset/subset.js';
import { chosenMetrics, runMetric } from '../../evaluation/metrics/registry.js';
import { runDifferences } from '../../evaluation/runs/run-identity.js';
import { mostCalls } from '../../interpreters/planning.js';
import { methodsForInput, PREDICTIONS } from '../../interpreters/predictions.js';
import { packageVersion } from '../../stores/package-root.js';
import { hashedQuestions } from '../../stores/runs/questions-hash.js';
import type { NoiseCounts, RunManifest } from '../../stores/runs/run-store.js';
import type { OpenedRun } from '../../workflows/activities/run.js';
import { NO_BATCHES } from '../provider-batches/put-request.js';
import type { OfflinePorts, Ports } from '../runtime/ports.js';
import { type AskedWith, askedWith, unpricedModels } from './asked-with.js';
import { accept, changedQuestions, changeOf, keepResampling } from './change-run.js';
import { chooseQuestions, subsetOf } from './choose-questions.js';
import { type DatasetPorts, readingOf, runOn, snapshotOf } from './dataset-of.js';
import { forkedQuestions, parentOf, specOf } from './fork.js';
import { type PassageSource, passageSource } from './passage-source.js';
import { citingForm, toldIn } from './run-metrics.js';
import { manifestOf } from './run-of.js';
import { NORMALISER } from './score-result.js';

/**
 * Checks all of the input that can be checked before anything is paid, then writes the questions
 * and the manifest. A failure leaves nothing half-written. An existing run of this name is resumed
 * if nothing that decides its answers differs. Otherwise `acceptChange` is needed, and the manifest
 * records what changed and when.
 *
 * @param at When the activity was scheduled, in milliseconds since 1970; the same for every
 * attempt.
 * @throws Failure BadInput for a bad input or data set, and for a different run of this name, with
 * each difference; UnknownText for a data set that is not in the store; UnknownCorpus;
 * StoreUnwritable.
 */
export async function openRun(
  input: unknown,
  own: OfflinePorts,
  signal: AbortSignal,
  at = Date.now(),
): Promise<OpenedRun> {
  const ports = { ...own, methods: methodsForInput(input, own.methods) };
  const { start, kept: given } = splitStartFields(completed(await specOf(input, ports), ports));
  const { acceptChange, ...asked } = start;
  const { onlyJudge, retryUnreadable } = asked;
  if (given.method === PREDICTIONS && !onlyJudge) {
    throw badInput('method', `"${PREDICTIONS}" asks nothing: import-predictions makes such runs`);
  }
  const refusal = refusalOf(given, ports);
  if (refusal !== undefined) throw new Failure('BadInput', refusal);
  await ports.responses.probe();
  const there = await ports.runs.manifest(given.run);
  const snapshot = await datasetOf(given, there, ports);
  const spec = runOn(given, snapshot, ports);
  const opening: Opening = { spec, snapshot, asked: await askedWith(spec, ports), ports };

  if (onlyJudge) {
    await openForJudge(await manifestOf(spec.run, ports.runs), acceptChange, opening);
  } else if (there) {
    const differing = await differencesOf(there, opening);
    if (differing.length > 0 && !acceptChange) throw runConflict(spec, differing);
    if (differing.length > 0) await change(there, differing, opening, signal);
    else await declareAnew(there, spec, ports.runs);
  } else {
    await begin(opening, signal);
  }
  if (retryUnreadable && there) await keepResampling(spec.run, at, ports.runs);
  const { questions } = await manifestOf(spec.run, ports.runs);
  const { assumedFree } = opening.asked;
  const labelled = ports.searchAttributes && { labelled: true as const };
  return {
    spec: { ...spec, ...asked },
    datasetName: snapshot.file,
    questions,
    ...labelled,
    ...metricsOf(spec, ports),
    ...(await callsOf(spec, ports)),
    ...(assumedFree && { assumedFree }),
  };
}

/**
 * Returns the data set of a run. An existing run has it in its manifest, so the store may have lost
 * it.
 */
export async function datasetOf(
  spec: RunSpec,
  there: RunManifest | undefined,
  ports: DatasetPorts & Pick<Ports, 'runs'>,
): Promise<Snapshot> {
  if (there?.input.dataset === spec.dataset) return there.dataset;
  if (spec.fork) return (await parentOf(spec.fork, ports)).dataset;
  return snapshotOf(spec, ports);
}

/**
 * Returns the most calls that a question makes. `callsEach` is that of a run that goes by batch and
 * has one model: one call then tells what each may cost.
 */
async function callsOf(
  { transport, method, options, models }: RunSpec,
  { methods, steps }: OfflinePorts,
): Promise<Pick<OpenedRun, 'callsEach' | 'mostCalls'>> {
  const most = await mostCalls(methodNamed(method, methods), options, steps);
  if (most === undefined) return {};
  const tells = transport && modelNames(models).length <= 1;
  return { mostCalls: most, ...(tells && { callsEach: most }) };
}

/**
 * Returns the spec with models, body fields and metrics filled in, so that they stay the same if a
 * worker is set up differently later.
 *
 * @throws Failure BadInput if a body field holds a secret.
 */
export function completed(
  { metrics: chosen, ...spec }: RunSpec,
  ports: Pick<OfflinePorts, 'defaultModel' | 'metrics' | 'secrets' | 'usual'>,
) {
  const { metrics = [] } = metricsOf({ judge: spec.judge, metrics: chosen }, ports);
  const asked = withStepDefaults(spec, ports.usual);
  refuseSecrets(asked, ports.secrets ?? []);
  const { model, parameters } = modelFor('default', { models: asked.models }, ports.defaultModel);
  return {
    ...asked,
    ...(metrics.length > 0 && { metrics: metrics.map(({ name }) => name) }),
    models: { ...asked.models, default: parameters ? { model, ...parameters } : model },
    extraBody: asked.extraBody ?? {},
  };
}

/** Returns the custom metrics of a run as its manifest keeps them; empty if there are none. */
function metricsOf(
  spec: Pick<RunSpec, 'judge' | 'metrics'>,
  ports: Pick<OfflinePorts, 'metrics'>,
): Pick<RunManifest, 'metrics'> {
  const metrics = chosenMetrics(spec, ports.metrics).map(runMetric);
  return metrics.length === 0 ? {} : { metrics };
}

/** A run to be opened, with this worker's setup. */
interface Opening {
  spec: StoredRunSpec;
  snapshot: Snapshot;
  asked: AskedWith;
  ports: OfflinePorts;
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

async function begin(opening: Opening, signal: AbortSignal): Promise<void> {
  const { spec, ports } = opening;
  if (spec.fork) return beginFork(spec.fork, opening);
  const { chosen, manifest } = questionsOf(opening, signal);
  const { questions, sha256 } = hashedQuestions(chosen);
  await ports.runs.begin(spec.run, questions, () => manifest(sha256()));
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

/** Updates the study's entry in the manifest if the study file has changed. */
async function declareAnew(
  there: RunManifest,
  { study }: StoredRunSpec,
  runs: Ports['runs'],
): Promise<void> {
  if (!study || isDeepStrictEqual(there.input.study, study)) return;
  await runs.change(there.run, () => ({ ...there, input: { ...there.input, study } }));
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

/** Replaces the spec and questions of an existing run; its answers stay. */
async function change(
  there: RunManifest,
  differing: string[],
  opening: Opening,
  signal: AbortSignal,
): Promise<void> {
  const { spec, ports } = opening;
  const { runs } = ports;
  const changed = await changeOf(there, differing, runs);
  const { chosen, manifest } = questionsOf(opening, signal);
  // The questions of a fork come from its parent run, which may be deleted.
  const asked = spec.fork
    ? undefined
    : hashedQuestions(await changedQuestions(there.run, chosen, changed.at, runs));
  await runs.change(
    there.run,
    () => ({
      ...(asked ? manifest(asked.sha256()) : manifestOfFork(opening, there)),
      createdAt: there.createdAt,
      ...(there.stopped && { stopped: there.stopped }),
      ...(there.rescored && { rescored: there.rescored }),
      ...(there.resampled && { resampled: there.resampled }),
      ...(there.unsupported && { unsupported: there.unsupported }),
      changes: [...(there.changes ?? []), changed],
    }),
    asked?.questions,
  );
}

/**
 * Opens a run for its judge only. Its questions and corpus stay; the prompts and steps that the
 * judge uses now go into the manifest.
 *
 * @throws Failure Conflict if the input differs, or if anything else differs without `accepted`.
 */
async function openForJudge(
  there: RunManifest,
  accepted: boolean | undefined,
  { spec, snapshot, asked, ports }: Opening,
): Promise<void> {
  const fixed = runDifferences(there, { ...there, input: spec, dataset: snapshot });
  if (fixed.length > 0) throw runConflict(spec, fixed);
  // The judge does not need the method.
  const { code: _, ...judging } = asked;
  const here = { ...judging, ...(there.code && { code: there.code }) };
  const ownSteps = here.ownSteps && { ownSteps: { ...here.ownSteps, ...there.ownSteps } };
  const differing = runDifferences(
    { ...there, ...ownSteps },
    { ...there, ...metricsOf(spec, ports), ...here },
  );
  if (differing.length > 0 && !accepted) throw runConflict(spec, differing);
  await accept(there, differing, here, ports.runs);
}

function manifestOfRun(
  { spec, snapshot, asked, ports }: Opening,
  source: Pick<PassageSource, 'corpus'>,
  counts: NoiseCounts,
): Omit<RunManifest, 'questionsSha256'> {
  const subset = subsetOf(spec);
  const selected = sizeOf(subset, snapshot.questions);
  const form = ports.methods.get(spec.method)?.form?.(spec.options);
  const answerForm = citingForm(spec, ports.methods) ?? (form === 'short' ? undefined : form);
  return {
    run: spec.run,
    createdAt: new Date().toISOString(),
    input: withoutShare(spec),
    questions: selected - counts.withoutAnswer,
    dataset: { ...snapshot, selected, rule: ruleOf(subset) },
    corpus: source.corpus,
    ...(spec.noise && { noise: counts }),
    ...(answerForm && { answerForm }),
    ...metricsOf(spec, ports),
    ...toldIn(spec, ports.methods),
    ...asked,
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

/**
 * Returns why these workers refuse to begin a run, and what to do; undefined if they accept it. A
 * dry run shows the same message.
 */
export function refusalOf(
  spec: RunSpec,
  ports: Pick<OfflinePorts, 'llm' | 'prices'> & { batching?: unknown },
): string | undefined {
  if (spec.transport && !ports.batching) return NO_BATCHES;
  const { unknown } = unpricedModels(spec, ports);
  const [budget] = (['budgetUsd', 'budgetPerQuestionUsd'] as const).filter((name) => spec[name]);
  if (budget === undefined || unknown.length === 0) return undefined;
  return `${budget}: the price of ${unknown.join(', ')} is not known, so the budget could not be kept. Put it into the JSON file that DURABLE_RAG_PRICES names and restart the workers, or leave the budget out.`;
}

/** Returns the differences between an existing run and a new start of the same name. */
export async function differencesOf(
  there: RunManifest,
  { spec, snapshot: dataset, asked, ports }: Opening,
): Promise<string[]> {
  return runDifferences(there, {
    input: spec,
    dataset,
    corpus: there.corpus && spec.corpus ? await ports.describeCorpus(spec.corpus) : null,
    ...metricsOf(spec, ports),
    ...asked,
  });
}
