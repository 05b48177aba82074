/**
 * Checks that a worker has what a run began with, before anything is paid for: its setup, its corpus,
 * and the passages that came with its questions.
 */
import { hostname } from 'node:os';
import { command } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import type { RecordRef } from '../../core/run/run.js';
import type { Passage, PassageRef, SearchMode } from '../../core/vocabulary.js';
import { runDifferences } from '../../evaluation/runs/run-identity.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import { readPassages } from '../runtime/model-request.js';
import type { Ports } from '../runtime/ports.js';
import { chooseQuestions } from './choose-questions.js';
import { readingOf } from './dataset-of.js';
import { passageSource } from './passage-source.js';
import { corpusName, type QuestionInRun, questionOf } from './run-of.js';
import { workerSetup } from './worker-setup.js';

/**
 * Ports with the parts of a worker's setup that `checkFit` compares with a run's manifest, such as
 * its models, prompts, methods and steps.
 */
export type FitPorts = Pick<
  Ports,
  'corpora' | 'embeddings' | 'llm' | 'methods' | 'prices' | 'prompts' | 'reranker' | 'steps'
>;

/**
 * Checks that this worker has the setup that the run's manifest records: the one that the run began
 * with, or an accepted change of it.
 *
 * @param askedBy For "judge", the code of the method is not compared.
 * @throws Failure RunMismatch naming the differences; it makes the run pause.
 */
export async function checkFit(
  manifest: RunManifest,
  ports: FitPorts,
  askedBy: 'judge' | 'method' = 'method',
): Promise<void> {
  const { input } = manifest;
  const { ownSteps: _, code, ...rest } = manifest;
  const asked = await workerSetup(input, ports).catch((error) => refuse(manifest, error));
  const here = { ...rest, ...asked, ...(askedBy === 'judge' && code && { code }) };
  const differing = runDifferences(manifest, here);
  if (differing.length > 0) throw mismatch(manifest.run, differing.join('; '));
}

/**
 * Returns the name of a run's corpus, pinned to its content when the run began, so that every
 * worker searches that content even after the corpus has been rebuilt.
 *
 * @throws Failure RunMismatch if the run was begun without a corpus, or if the corpus is gone or
 * cannot be searched in this mode.
 */
export async function corpusOfRun(
  manifest: RunManifest,
  mode: SearchMode | undefined,
  { corpora }: Pick<Ports, 'corpora'>,
): Promise<string> {
  const name = corpusName(manifest);
  if (name === null) throw mismatch(manifest.run, 'it was begun without a corpus to search');
  try {
    await corpora.open(name, mode);
    return name;
  } catch (error) {
    return refuse(manifest, error);
  }
}

/**
 * Throws the error, as a RunMismatch if no retry on this worker can help: another worker may have what this one
 * lacks.
 */
function refuse({ run }: RunManifest, error: unknown): never {
  if (!(error instanceof Failure) || error.retryable) throw error;
  throw mismatch(run, error.message);
}

function mismatch(run: string, what: string): Failure {
  return new Failure(
    'RunMismatch',
    `A worker (process ${process.pid} on ${hostname()}) is not set up as the run ${run} was begun. Set it up as it was, and the run then continues by itself (at once by ${command('resume', run)}); or accept the change for the run by its eval command with --accept-change; or begin another run (--name). What differs: ${what}`,
  );
}

/** Ports for reading the passages that came with questions, and for storing them again. */
export type GivenPorts = Pick<
  Ports,
  'confirmations' | 'corpora' | 'datasets' | 'describeCorpus' | 'passages' | 'runs'
>;

/** Runs whose passages are being stored again, by store, so that the data set is read once. */
const underWay = new WeakMap<object, Map<string, Promise<void>>>();

/**
 * Returns references to the passages that came with a question and replace its searches; undefined
 * if it searches. Passages that the store has lost are stored again from the data set of the run.
 *
 * @throws Failure UnknownText if they cannot be stored again; BadInput if the store does not have
 * the question.
 */
export async function givenPassages(
  record: RecordRef,
  manifest: RunManifest,
  ports: GivenPorts,
): Promise<PassageRef[] | undefined> {
  const { stored } = await questionOf(record, ports.runs);
  if (stored) await keepGiven(stored, manifest, ports);
  return stored;
}

/**
 * Returns passages with their texts as a question read them, in the order of the references.
 *
 * @throws Failure UnknownPassage or another type with `gone` in `FAILURES` if a passage no longer
 * exists; the failures of `givenPassages`.
 */
export async function passagesReadIn(
  { manifest, question }: QuestionInRun,
  refs: readonly PassageRef[],
  ports: GivenPorts,
): Promise<Passage[]> {
  const { stored } = question;
  if (stored) await keepGiven(stored, manifest, ports);
  const ids = refs.map(({ id }) => id);
  return readPassages(ids, stored ? null : corpusName(manifest), ports);
}

/** Makes sure that passages of a run are in the store. @throws As `givenPassages`. */
async function keepGiven(
  stored: readonly PassageRef[],
  manifest: RunManifest,
  ports: GivenPorts,
): Promise<void> {
  const lost = () => ports.passages.get(stored.map(({ id }) => id)).then(() => undefined, lostOr);
  if (!(await lost())) return;
  const why = await putOnce(manifest, ports).then(() => 'its corpus finds others', refusedOr);
  const stillLost = await lost();
  if (!stillLost) return;
  throw new Failure(
    'UnknownText',
    `${stillLost.message} They could not be put there again from the run's data set, ${manifest.dataset.file} (${why}). Put it into the store as it was when the run began, and resume the run.`,
  );
}

function lostOr(error: unknown): Failure {
  if (error instanceof Failure && error.type === 'UnknownText') return error;
  throw error;
}

/** Returns why passages cannot be stored again; throws an error that a retry can heal. */
function refusedOr(error: unknown): string {
  if (error instanceof Failure && !error.retryable) return error.message;
  throw error;
}

function putOnce(manifest: RunManifest, ports: GivenPorts): Promise<void> {
  const runs = underWay.get(ports.passages) ?? new Map<string, Promise<void>>();
  underWay.set(ports.passages, runs);
  const { run } = manifest;
  const putting = runs.get(run) ?? putAgain(manifest, ports).finally(() => runs.delete(run));
  runs.set(run, putting);
  return putting;
}

/** Chooses the questions as at the start of the run, which stores their passages. */
async function putAgain({ input, dataset }: RunManifest, ports: GivenPorts): Promise<void> {
  const { signal } = new AbortController();
  const source = passageSource(input, ports, signal);
  const counts = { withoutAnswer: 0, incomplete: 0 };
  const read = readingOf(dataset.sha256, ports.datasets, signal);
  const { passages: store, confirmations } = ports;
  const parts = { read, source, store, counts, searches: false, confirmations };
  for await (const _ of chooseQuestions(input, parts));
}
