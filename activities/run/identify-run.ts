import { canonicalJson } from '../../core/canonical-json.js';
import { Failure } from '../../core/failure.js';
import { methodNamed } from '../../core/method-registry.js';
import { searchesNothing } from '../../core/options/idle-retrieval.js';
import { type RunSpec, splitStartFields } from '../../core/run/input.js';
import { sha256Of } from '../../core/sha256.js';
import { contentsOf, runDifferences } from '../../evaluation/runs/run-identity.js';
import { methodsForInput } from '../../interpreters/predictions.js';
import type { IdentifiedRun } from '../../workflows/activities/run.js';
import type { OfflinePorts } from '../runtime/ports.js';
import { recordSetup } from './change-run.js';
import { withStoredDataset } from './dataset-of.js';
import { specOf } from './fork.js';
import { datasetOf, startDifferences, withWorkerDefaults } from './open-run.js';
import { workerSetup } from './worker-setup.js';
import { metricsOfRun } from './write-run.js';

/**
 * Returns `contents`, a hash of the data set, the corpus and the worker's setup that a run would
 * use; `metrics`, the names of its custom metrics; and `differences`, a line for each difference
 * from the existing run of its name. Does not begin the run, but stores questions that come with
 * the input.
 *
 * With `acceptChange`, it records the differences in the manifest of the existing run instead, and
 * returns none.
 *
 * @param input An unchecked RunInput.
 * @throws Failure BadInput for a bad input or data set, and for a change that a running run cannot
 * accept; UnknownText for a data set that is not in the store; for a fork, the failures of
 * `specOf`.
 */
export async function identifyRun(input: unknown, own: OfflinePorts): Promise<IdentifiedRun> {
  const ports = { ...own, methods: methodsForInput(input, own.methods) };
  const { start, kept: given } = splitStartFields(
    withWorkerDefaults(await specOf(input, ports), ports),
  );
  const there = await ports.runs.manifest(given.run);
  const dataset = await datasetOf(given, there, ports);
  const spec = withStoredDataset(given, dataset, ports);
  const setup = await workerSetup(spec, ports);
  const corpus = await corpusOf(spec, ports);
  const contents = sha256Of(canonicalJson(contentsOf({ ...setup, dataset, corpus })));
  const identified = { contents, metrics: spec.metrics ?? [], differences: [] };

  if (!there) return identified;
  const opening = { spec, snapshot: dataset, setup, ports };
  const differences = await startDifferences(there, opening);
  if (!start.acceptChange || differences.length === 0) return { ...identified, differences };
  const fixed = runDifferences(there, { ...there, input: spec, dataset });
  if (fixed.length > 0) throw runningRun(spec.run, fixed);
  const here = { ...setup, ...metricsOfRun(spec, ports), corpus: there.corpus && corpus };
  await recordSetup(there, differences, here, ports.runs);
  return identified;
}

/**
 * Returns the description of the corpus; null if nothing is searched, or if the corpus is not named
 * or not found yet: a question that needs it then reports that.
 */
async function corpusOf(
  { method, options, corpus }: RunSpec,
  { methods, describeCorpus }: OfflinePorts,
): Promise<Record<string, unknown> | null> {
  if (corpus === undefined || searchesNothing(methodNamed(method, methods), options)) return null;
  return describeCorpus(corpus).catch((error: unknown) => {
    if (error instanceof Failure && error.type === 'UnknownCorpus') return null;
    throw error;
  });
}

function runningRun(run: string, differing: readonly string[]): Failure {
  return new Failure(
    'BadInput',
    `The run ${run} is under way and cannot take another ${differing.join('; ')}. Cancel it first, and start it again with --accept-change.`,
  );
}
