/**
 * Reads the passages that came with a run's questions, and stores them again if the store has lost
 * them.
 */

import { Failure } from '../../core/failure.js';
import type { RecordRef } from '../../core/run/run.js';
import type { Passage, PassageRef } from '../../core/vocabulary.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import type { Ports } from '../runtime/ports.js';
import { readPassages } from '../runtime/render-prompt.js';
import { chooseQuestions } from './choose-questions.js';
import { readingOf } from './dataset-of.js';
import { passageSource } from './passage-source.js';
import { type AskedIn, corpusName, questionOf } from './run-of.js';

/** The ports for reading the passages of questions, and for storing them again. */
export type GivenPorts = Pick<
  Ports,
  'confirmations' | 'corpora' | 'datasets' | 'describeCorpus' | 'passages' | 'runs'
>;

/** Runs whose passages are being stored again, by store, so that the data set is read once. */
const underWay = new WeakMap<object, Map<string, Promise<void>>>();

/**
 * Returns references to the passages that a question is asked with instead of a search; undefined
 * if it searches. Passages that the store has lost are stored again from the data set of the run.
 *
 * @throws Failure UnknownText if they cannot be stored again.
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
 * Returns passages with their texts as a question read them.
 *
 * @throws Failure of a type that counts as gone if a passage no longer exists; as `givenPassages`.
 */
export async function passagesReadIn(
  { manifest, question }: AskedIn,
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
