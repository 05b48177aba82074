/** Begins a run, or finds the one that was begun. */

import { isDeepStrictEqual } from 'node:util';
import type { Snapshot } from '../../core/dataset-record.js';
import { differs } from '../../core/differences.js';
import { Failure } from '../../core/failure.js';
import { refuseSecrets } from '../../core/options/extra-body.js';
import { searchesNothing } from '../../core/options/idle-retrieval.js';
import { badInput } from '../../core/options/problems.js';
import { methodNamed } from '../../core/registry.js';
import {
  type Fork,
  partedByStart,
  type RunSpec,
  type StoredRunSpec,
} from '../../core/run/input.js';
import { modelFor, modelNames, withUsual } from '../../core/step-models.js';
import { ruleOf, sizeOf } from '../../evaluation/dataset/subset.js';
import { chosenMetrics, runMetric } from '../../evaluation/metrics/registry.js';
import { runDifferences } from '../../evaluation/runs/run-identity.js';
import { mostCalls } from '../../interpreters/planning.js';
import { PREDICTIONS } from '../../interpreters/predictions.js';
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
import { citingForm } from './judge-task.js';
import { type PassageSource, passageSource } from './passage-source.js';
import { manifestOf } from './run-of.js';
import { NORMALISER } from './score-result.js';

/**
 * Checks everything about the input that can be checked before something is paid, then writes the
 * questions and the manifest. Nothing of it is to be seen when it fails half way. A run of this
 * name that is there is taken up where nothing differs that decides its answers; where something
 * does only with `acceptChange`, and the manifest then says what has changed, and when.
 *
 * @param at When this was to be done, in milliseconds since 1970: the same however often it is tried.
 * @throws Failure BadInput for a bad input or data set, and for another run of this name, showing
 * each difference; UnknownText for a data set that is not in the store; UnknownCorpus;
 * StoreUnwritable.
 */
export async function openRun(
  input: unknown,
  ports: OfflinePorts,
  signal: AbortSignal,
  at = Date.now(),
): Promise<OpenedRun> {
  const { start, kept: given } = partedByStart(completed(await specOf(input, ports), ports));
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
    if (differing.length > 0 && !acceptChange) throw differs(spec, differing);
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
 * Returns the data set as the store has it. What a run has been begun with is known from its
 * manifest, though the store may have lost it.
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

/** Returns how many calls a question makes, where one of them tells what each may cost. */
async function callsOf(
  { transport, method, options, models }: RunSpec,
  { methods, steps }: OfflinePorts,
): Promise<Pick<OpenedRun, 'callsEach'>> {
  if (!transport || modelNames(models).length > 1) return {};
  const callsEach = await mostCalls(methodNamed(method, methods), options, steps);
  return callsEach === undefined ? {} : { callsEach };
}

/**
 * With models, body fields and metrics named, so that they stay the same when a worker is set up
 * anew.
 *
 * @throws Failure BadInput where a field of one's own holds a secret.
 */
export function completed(
  { metrics: chosen, ...spec }: RunSpec,
  ports: Pick<OfflinePorts, 'defaultModel' | 'metrics' | 'secrets' | 'usual'>,
) {
  const { metrics = [] } = metricsOf({ judge: spec.judge, metrics: chosen }, ports);
  const asked = withUsual(spec, ports.usual);
  refuseSecrets(asked, ports.secrets ?? []);
  const { model, parameters } = modelFor('default', { models: asked.models }, ports.defaultModel);
  return {
    ...asked,
    ...(metrics.length > 0 && { metrics: metrics.map(({ name }) => name) }),
    models: { ...asked.models, default: parameters ? { model, ...parameters } : model },
    extraBody: asked.extraBody ?? {},
  };
}

/** Returns what a run keeps of the metrics of somebody's own that it has, if there are any. */
function metricsOf(
  spec: Pick<RunSpec, 'judge' | 'metrics'>,
  ports: Pick<OfflinePorts, 'metrics'>,
): Pick<RunManifest, 'metrics'> {
  const metrics = chosenMetrics(spec, ports.metrics).map(runMetric);
  return metrics.length === 0 ? {} : { metrics };
}

/** A run that is asked for, as this worker has it. */
export interface Opening {
  spec: StoredRunSpec;
  snapshot: Snapshot;
  asked: AskedWith;
  ports: OfflinePorts;
}

/** Returns the questions as they are asked, and the manifest once all of them have been read. */
function questionsOf(opening: Opening, signal: AbortSignal) {
  const { spec, snapshot, ports } = opening;
  const source = passageSource(spec, ports, signal);
  const searches = !searchesNothing(methodNamed(spec.method, ports.methods), spec.options);
  const counts: NoiseCounts = { withoutAnswer: 0, incomplete: 0 };
  const read = readingOf(snapshot.sha256, ports.datasets, signal);
  const chosen = chooseQuestions(spec, { read, source, store: ports.passages, counts, searches });
  return {
    chosen,
    manifest: (questionsSha256: string) => ({
      ...manifestOfRun(opening, source, counts),
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

/** A fork as it is asked now, over questions that were taken from another run. */
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

/** Keeps what a study says of a run and of its comparisons, where its file has been changed. */
async function declareAnew(
  there: RunManifest,
  { study }: StoredRunSpec,
  runs: Ports['runs'],
): Promise<void> {
  if (!study || isDeepStrictEqual(there.input.study, study)) return;
  await runs.change(there.run, () => ({ ...there, input: { ...there.input, study } }));
}

/** Everything of the run that is forked is copied, so that it can be deleted. */
async function beginFork(fork: Fork, opening: Opening): Promise<void> {
  const { spec, ports } = opening;
  const parent = await parentOf(fork, ports);
  const { questions: forked, counts } = await forkedQuestions(fork, spec, parent, ports);
  const { questions, sha256 } = hashedQuestions(forked);
  await ports.runs.begin(spec.run, questions, () => {
    const { questions: chosen, whole } = counts();
    const taken = {
      questions: chosen,
      questionsSha256: sha256(),
      fork: { whole, prompts: parent.prompts },
    };
    return manifestOfFork(opening, { ...parent, ...taken });
  });
}

/** Puts the run as it is asked for now in the place of the one that is there; answers stay. */
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
  // The questions of a fork are those of the run that it was forked of, which may be gone.
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
 * Takes a run up for its judge alone. Its questions and the corpus that they were answered from stay;
 * the prompts and steps of a judge that it has got since come into its manifest.
 *
 * @throws Failure Conflict where anything of the input differs, or something else without `accepted`.
 */
async function openForJudge(
  there: RunManifest,
  accepted: boolean | undefined,
  { spec, snapshot, asked, ports }: Opening,
): Promise<void> {
  const fixed = runDifferences(there, { ...there, input: spec, dataset: snapshot });
  if (fixed.length > 0) throw differs(spec, fixed);
  // The judge does without the method.
  const { code: _, ...judging } = asked;
  const here = { ...judging, ...(there.code && { code: there.code }) };
  const ownSteps = here.ownSteps && { ownSteps: { ...here.ownSteps, ...there.ownSteps } };
  const differing = runDifferences(
    { ...there, ...ownSteps },
    { ...there, ...metricsOf(spec, ports), ...here },
  );
  if (differing.length > 0 && !accepted) throw differs(spec, differing);
  await accept(there, differing, here, ports.runs);
}

function manifestOfRun(
  { spec, snapshot, asked, ports }: Opening,
  source: Pick<PassageSource, 'corpus'>,
  counts: NoiseCounts,
): Omit<RunManifest, 'questionsSha256'> {
  const subset = subsetOf(spec);
  const selected = sizeOf(subset, snapshot.questions);
  const answerForm = citingForm(spec, ports.methods);
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
    ...asked,
    models: spec.models,
    normaliser: NORMALISER,
    versions: {
      durableRag: packageVersion(),
      node: process.version,
    },
  };
}

/** Leaves out what a cell of a study was given for its round: a round has another share each time. */
function withoutShare(spec: StoredRunSpec): StoredRunSpec {
  if (!spec.study) return spec;
  const { budgetUsd: _, ...kept } = spec;
  return kept;
}

/**
 * Says why these workers do not begin a run, and what to do; undefined if they do. A dry run says the
 * same.
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

/** Returns what differs between a run that is there and the same name started anew. */
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
