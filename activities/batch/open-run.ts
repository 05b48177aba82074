/** Begins a run, or finds the one that was begun. */
import { type DatasetSurvey, surveyDataset } from '../../evaluation/dataset/read-dataset.js';
import { type PriceTable, priceOf } from '../../llm/prices.js';
import { type Batch, identityOf, parseBatchInput } from '../../methods/batch/input.js';
import { differences } from '../../methods/differences.js';
import { Failure } from '../../methods/failure.js';
import type { NoiseCounts, RunManifest } from '../../results/run-store.js';
import { packageVersion } from '../../stores/package-root.js';
import { allowedDataset } from '../runtime/allowed-dataset.js';
import type { Ports } from '../runtime/ports.js';
import { chooseQuestions, subsetOf } from './choose-questions.js';
import { passageSource } from './passage-source.js';
import { manifestOf } from './run-of.js';

/** A run whose questions are in the store. */
export interface OpenedRun {
  /** With every default filled in, the worker's model included. */
  batch: Batch;
  questions: number;
}

export type OpenPorts = Pick<
  Ports,
  | 'corpora'
  | 'defaultModel'
  | 'describeCorpus'
  | 'files'
  | 'llm'
  | 'methods'
  | 'passages'
  | 'prices'
  | 'prompts'
  | 'responses'
  | 'runs'
>;

/**
 * Checks everything about the input that can be checked before something is paid, then writes the
 * questions and the manifest. Nothing of it is to be seen when it fails half way. A run of this
 * name that is there is taken up, if it is of the same input, data set and corpus.
 *
 * @throws Failure BadInput for a bad input or data set, and for another run of this name, showing
 * each difference; Permission for a data set that is not the worker's to read; UnknownCorpus;
 * StoreUnwritable.
 */
export async function openRun(
  input: unknown,
  ports: OpenPorts,
  signal: AbortSignal,
): Promise<OpenedRun> {
  const parsed = parseBatchInput(input, ports.methods);
  await ports.responses.probe();
  // Named, so that it stays the same when a worker is set up anew.
  const batch = { ...parsed, models: { default: ports.defaultModel, ...parsed.models } };
  checkPrices(batch, ports.prices);
  const prompts = await ports.prompts.hashes(batch.prompts);
  const file = await allowedDataset(batch.dataset, ports.files);
  const survey = await surveyDataset(file, { ...subsetOf(batch), signal });

  const there = await ports.runs.manifest(batch.run);
  if (there) {
    await checkSame(there, batch, survey, ports);
    return { batch, questions: there.questions };
  }
  const source = passageSource(batch, ports, signal);
  const counts: NoiseCounts = { withoutAnswer: 0, incomplete: 0 };
  const chosen = chooseQuestions(
    { ...batch, dataset: file },
    { source, store: ports.passages, counts, signal },
  );
  await ports.runs.begin(batch.run, chosen, () => ({
    run: batch.run,
    createdAt: new Date().toISOString(),
    input: batch,
    questions: survey.selected - counts.withoutAnswer,
    dataset: { file: batch.dataset, ...survey },
    corpus: source.corpus,
    ...(batch.noise && { noise: counts }),
    prompts,
    provider: ports.llm.provider,
    models: batch.models,
    normaliser: NORMALISER,
    versions: { durableRag: packageVersion(), node: process.version },
  }));
  const { questions } = await manifestOf(batch.run, ports.runs);
  return { batch, questions };
}

const NORMALISER =
  'SQuAD: lower case, without punctuation, without the articles a, an and the, single spaces';

/** @throws Failure BadInput where a budget could not be kept. */
function checkPrices({ budgetUsd, models, judge }: Batch, prices: PriceTable): void {
  if (budgetUsd === undefined) return;
  const asked = new Set([...Object.values(models), ...(judge === undefined ? [] : [judge])]);
  const unknown = [...asked].filter((model) => priceOf(model, prices) === undefined);
  if (unknown.length === 0) return;
  throw new Failure(
    'BadInput',
    `budgetUsd: the price of ${unknown.join(', ')} is not known, so the budget could not be kept. Put it into the JSON file that DURABLE_RAG_PRICES names and restart the workers, or leave the budget out.`,
  );
}

/** @throws Failure BadInput showing what differs. */
async function checkSame(
  there: RunManifest,
  batch: Batch,
  { sha256 }: DatasetSurvey,
  { describeCorpus }: OpenPorts,
): Promise<void> {
  const corpus = there.corpus && (await describeCorpus(batch.corpus));
  const differing = differences(
    comparable(there.input, there.dataset.sha256, there.corpus),
    comparable(batch, sha256, corpus),
  );
  if (differing.length === 0) return;
  throw new Failure(
    'BadInput',
    `run: there is another run ${batch.run} (${differing.join('; ')}). Start it as it was, or give this one another name.`,
  );
}

/** An index that was built again from the same file in the same way is the same. */
function comparable(batch: Batch, sha256: string, corpus: Record<string, unknown> | null): object {
  const { build, builtAt, source, ...index } = corpus ?? {};
  const { dataset: file, corpus: name, ...identity } = identityOf(batch);
  return { ...identity, dataset: { file, sha256 }, corpus: { ...index, name } };
}
