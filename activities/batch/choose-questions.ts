/** The questions of a run as they are asked: the chosen ones, with their passages by reference. */
import { type ReadOptions, readDataset } from '../../evaluation/dataset/read-dataset.js';
import type { DatasetRecord } from '../../evaluation/dataset/record.js';
import type { Batch } from '../../methods/batch/input.js';
import { Failure } from '../../methods/failure.js';
import type { NoiseCounts, RunQuestion } from '../../results/run-store.js';
import type { PassageStore } from '../../retrieval/supplied-passages.js';
import { noiseChooser } from './choose-noise.js';
import type { PassageSource } from './passage-source.js';

/**
 * The part of a data set that a batch is about, whether its questions must have answers, and what it
 * takes them to be.
 */
export function subsetOf({
  limit,
  sample,
  sampleSeed,
  requireAnswers,
  options,
}: Batch): ReadOptions {
  const { task } = options;
  return {
    ...{ limit, sample, seed: sampleSeed, scorable: requireAnswers ?? true },
    ...(typeof task === 'string' && { task }),
  };
}

export interface ChooseParts {
  source: PassageSource;
  /** Where passages are stored that questions are asked with. */
  store: PassageStore;
  /** Counts what becomes of the questions on the way, where noise is asked for. */
  counts: NoiseCounts;
  /** False for a method that asks for no passages: no corpus has to be there for it. */
  searches: boolean;
  signal: AbortSignal;
}

/**
 * Streams the questions; what is stored of their passages is stored before they come.
 *
 * @throws Failure BadInput for a bad data set, where noise leaves no question, and where a question has to
 * search a corpus that the batch does not name; what opening the corpus throws.
 */
export async function* chooseQuestions(
  batch: Batch,
  parts: ChooseParts,
): AsyncGenerator<RunQuestion> {
  yield* batch.noise ? withNoise(batch, batch.noise, parts) : asTheyAre(batch, parts);
}

async function* asTheyAre(
  batch: Batch,
  { source, store, searches, signal }: ChooseParts,
): AsyncGenerator<RunQuestion> {
  for await (const record of readDataset(batch.dataset, { ...subsetOf(batch), signal })) {
    const own = source.own(record);
    if (searches && own.length === 0) await source.openCorpus(record);
    yield { ...withoutPassages(record), ...(own.length > 0 && { stored: await store.put(own) }) };
  }
}

async function* withNoise(
  batch: Batch,
  noise: NonNullable<Batch['noise']>,
  { source, store, counts, signal }: ChooseParts,
): AsyncGenerator<RunQuestion> {
  const choose = await noiseChooser(noise, batch.sampleSeed, source, (sample, seed) =>
    readDataset(batch.dataset, { ...subsetOf(batch), limit: undefined, sample, seed, signal }),
  );
  let taken = 0;
  for await (const record of readDataset(batch.dataset, { ...subsetOf(batch), signal })) {
    const chosen = await choose(record);
    if (!chosen) {
      counts.withoutAnswer++;
      continue;
    }
    if (!chosen.complete) counts.incomplete++;
    yield { ...withoutPassages(record), stored: await store.put(chosen.passages) };
    taken++;
  }
  if (taken > 0) return;
  throw new Failure(
    'BadInput',
    `noise: for none of the ${counts.withoutAnswer} questions a passage with an answer was found (noise.depth ${noise.depth}).`,
  );
}

function withoutPassages({ passages: _, ...question }: DatasetRecord): RunQuestion {
  return question;
}
