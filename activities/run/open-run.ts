/** Begins a run, or resumes an existing one. */

import type { Snapshot } from '../../core/dataset-record.js';
import { Failure } from '../../core/failure.js';
import { methodNamed } from '../../core/method-registry.js';
import { runConflict } from '../../core/object-differences.js';
import { refuseSecrets } from '../../core/options/extra-body.js';
import { badInput } from '../../core/options/problems.js';
import { type RunSpec, splitStartFields } from '../../core/run/input.js';
import { modelFor, modelNames, withStepDefaults } from '../../core/step-models.js';
import { runDifferences } from '../../evaluation/runs/run-identity.js';
import { mostCalls } from '../../interpreters/planning.js';
import { methodsForInput, PREDICTIONS } from '../../interpreters/predictions.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import type { OpenedRun } from '../../workflows/activities/run.js';
import { NO_BATCHES } from '../provider-batches/put-request.js';
import type { OfflinePorts, Ports } from '../runtime/ports.js';
import { recordResampling } from './change-run.js';
import { type DatasetPorts, snapshotOf, withStoredDataset } from './dataset-of.js';
import { parentOf, specOf } from './fork.js';
import { manifestOfRun } from './run-of.js';
import { unpricedModels, workerSetup } from './worker-setup.js';
import {
  beginRun,
  changeRun,
  metricsOfRun,
  type Opening,
  openForJudge,
  updateStudyLabels,
} from './write-run.js';

/**
 * Begins a run, or resumes the existing run of its name. Returns its input with all defaults
 * (`spec`), its number of `questions` and, if there are any, its custom `metrics` and the highest
 * number of model calls of a question (`mostCalls`); see `OpenedRun` for the rest. With
 * `onlyJudge` it prepares the existing run for its judge.
 *
 * Everything that can be checked is checked before anything is paid for, and a failure leaves
 * nothing half-written. An existing run is resumed if nothing that its answers depend on differs.
 * Otherwise `acceptChange` is needed, and the manifest records what changed and when.
 *
 * @param at When the activity was scheduled, in milliseconds since 1970; the same for every
 * attempt.
 * @throws Failure BadInput for a bad input or data set; Conflict for a different run of this name,
 * with each difference, and for a fork of imported answers; UnknownRun for a missing parent of a
 * fork, or with `onlyJudge` for a missing run; UnknownText for a data set that is not in the
 * store; UnknownCorpus; StoreUnwritable.
 */
export async function openRun(
  input: unknown,
  own: OfflinePorts,
  signal: AbortSignal,
  at = Date.now(),
): Promise<OpenedRun> {
  const ports = { ...own, methods: methodsForInput(input, own.methods) };
  const { start, kept: given } = splitStartFields(
    withWorkerDefaults(await specOf(input, ports), ports),
  );
  const { acceptChange, ...asked } = start;
  const { onlyJudge, retryUnreadable } = asked;
  if (given.method === PREDICTIONS && !onlyJudge) {
    throw badInput('method', `"${PREDICTIONS}" asks nothing: import-predictions makes such runs`);
  }
  const refusal = startRefusal(given, ports);
  if (refusal !== undefined) throw new Failure('BadInput', refusal);
  await ports.responses.probe();
  const there = await ports.runs.manifest(given.run);
  const snapshot = await datasetOf(given, there, ports);
  const spec = withStoredDataset(given, snapshot, ports);
  const opening: Opening = { spec, snapshot, setup: await workerSetup(spec, ports), ports };

  if (onlyJudge) {
    await openForJudge(await manifestOfRun(spec.run, ports.runs), acceptChange, opening);
  } else if (there) {
    const differing = await startDifferences(there, opening);
    if (differing.length > 0 && !acceptChange) throw runConflict(spec, differing);
    if (differing.length > 0) await changeRun(there, differing, opening, signal);
    else await updateStudyLabels(there, spec, ports.runs);
  } else {
    await beginRun(opening, signal);
  }
  if (retryUnreadable && there) await recordResampling(spec.run, at, ports.runs);
  const { questions } = await manifestOfRun(spec.run, ports.runs);
  const { assumedFree } = opening.setup;
  const labelled = ports.searchAttributes && { labelled: true as const };
  return {
    spec: { ...spec, ...asked },
    datasetName: snapshot.file,
    questions,
    ...labelled,
    ...metricsOfRun(spec, ports),
    ...(await callsOf(spec, ports)),
    ...(assumedFree && { assumedFree }),
  };
}

/**
 * Returns the description of the data set of a run. It comes from the run's manifest if the run
 * exists with this data set, and else for a fork from its parent's manifest, so that the data set
 * may then be missing in the store. Questions that came with the input are stored.
 *
 * @throws Failure as `snapshotOf`, and for a fork as `parentOf`.
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
 * Returns the most calls that a question makes. `callsEach` is set only for a run by batch with one
 * model, in which the cost of one call shows that of the others.
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
 * Returns the spec with models, body fields and metrics filled in from this worker's configuration,
 * so that they stay the same if a worker is configured differently later.
 *
 * @throws Failure BadInput if a body field contains a secret, for an unknown metric, and for a
 * judged metric without a judge.
 */
export function withWorkerDefaults(
  { metrics: chosen, ...spec }: RunSpec,
  ports: Pick<OfflinePorts, 'defaultModel' | 'metrics' | 'secrets' | 'usual'>,
) {
  const { metrics = [] } = metricsOfRun({ judge: spec.judge, metrics: chosen }, ports);
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

/**
 * Returns the message with which these workers refuse to begin a run, including what to do;
 * undefined if they accept it. A dry run shows the same message.
 */
export function startRefusal(
  spec: RunSpec,
  ports: Pick<OfflinePorts, 'llm' | 'prices'> & { batching?: unknown },
): string | undefined {
  if (spec.transport && !ports.batching) return NO_BATCHES;
  const { unknown } = unpricedModels(spec, ports);
  const [budget] = (['budgetUsd', 'budgetPerQuestionUsd'] as const).filter((name) => spec[name]);
  if (budget === undefined || unknown.length === 0) return undefined;
  return `${budget}: the price of ${unknown.join(', ')} is not known, so the budget could not be kept. Put it into the JSON file that DURABLE_RAG_PRICES names and restart the workers, or leave the budget out.`;
}

/**
 * Returns the differences between an existing run and a new start of the same name, one line for
 * each.
 */
export async function startDifferences(
  there: RunManifest,
  { spec, snapshot: dataset, setup, ports }: Opening,
): Promise<string[]> {
  return runDifferences(there, {
    input: spec,
    dataset,
    corpus: there.corpus && spec.corpus ? await ports.describeCorpus(spec.corpus) : null,
    ...metricsOfRun(spec, ports),
    ...setup,
  });
}
