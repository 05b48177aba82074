/** Chooses the questions of a run and stores their passages. */
import { isDeepStrictEqual } from 'node:util';
import type { DatasetRecord } from '../../core/dataset-record.js';
import { Failure } from '../../core/failure.js';
import { methodNamed } from '../../core/method-registry.js';
import { answerTokens, containsAnswer } from '../../core/normalize-answer.js';
import { requireCorpus, searchesNothing } from '../../core/options/idle-retrieval.js';
import type { RunHalf, RunSpec } from '../../core/run/input.js';
import { inHashOrder } from '../../evaluation/dataset/hash-order-sample.js';
import type { ReadSubset, Subset } from '../../evaluation/dataset/subset.js';
import { withoutPassages } from '../../evaluation/gold-passages.js';
import { type NoisyPassages, selectNoisyPassages } from '../../evaluation/noise.js';
import { scorePassages } from '../../evaluation/score-passages.js';
import { drawnOrder, halfOf, questionHash } from '../../evaluation/tune/halves.js';
import type { PassageStore } from '../../retrieval/supplied-passages.js';
import type { Confirmations } from '../../stores/confirmations.js';
import type { NoiseCounts, RunQuestion } from '../../stores/runs/run-store.js';
import type { OwnMethods } from '../../workflows/define-method.js';
import type { FoundPassage, PassageSource } from './passage-source.js';

/**
 * Returns the selection of questions that a run makes from its data set: of its first `limit`
 * questions, a sample of `sample` questions, drawn with `seed`. A field that the run does not set
 * is undefined.
 */
export function subsetOf({
  limit,
  sample,
  sampleSeed,
}: Pick<RunSpec, 'limit' | 'sample' | 'sampleSeed'>): Subset {
  return { limit, sample, seed: sampleSeed };
}

/**
 * Returns whether two runs over one data set have equal settings of which questions they ask, in
 * which order, and with which given passages. Passages that they search for while they answer are
 * not compared.
 */
export function chooseSameQuestions(a: RunSpec, b: RunSpec): boolean {
  const chosenBy = ({
    fork,
    half,
    noise,
    ownPassages,
    requireAnswers = true,
    shuffle,
    ...spec
  }: RunSpec) => ({
    ...subsetOf(spec),
    fork,
    half,
    noise,
    ownPassages,
    requireAnswers,
    shuffle,
    // Noise comes from the corpus.
    corpus: noise && [spec.corpus, spec.mode],
  });
  return isDeepStrictEqual(chosenBy(a), chosenBy(b));
}

/** The fields of a run that decide which of its questions search a corpus. */
type SearchingRun = Pick<
  RunSpec,
  'corpus' | 'limit' | 'method' | 'noise' | 'options' | 'ownPassages' | 'sample' | 'sampleSeed'
>;

/**
 * Checks that a run names a corpus if one of its questions, or its noise, needs a search.
 *
 * @throws Failure BadInput, naming the first question that needs a search.
 */
export async function checkCorpus(
  spec: SearchingRun,
  methods: OwnMethods,
  read: ReadSubset,
): Promise<void> {
  if (!mayNeedCorpus(spec, methods)) return;
  const { ownPassages, noise, sampleSeed } = spec;
  const isRandom = noise?.kind === 'random' && noise.ratio > 0;
  const subsets = [subsetOf(spec), ...(isRandom ? [poolSubset(sampleSeed)] : [])];
  for (const subset of subsets) {
    for await (const record of read(subset)) {
      const isSupplied = ownPassages && (record.passages ?? []).length > 0;
      if (!isSupplied) requireCorpus(undefined, record);
    }
  }
}

/**
 * Returns whether a run names no corpus although its method searches for passages, so that it
 * works only if every question has passages of its own.
 */
export function mayNeedCorpus(
  { corpus, method, options }: Pick<RunSpec, 'corpus' | 'method' | 'options'>,
  methods: OwnMethods,
): boolean {
  return corpus === undefined && !searchesNothing(methodNamed(method, methods), options);
}

/** Returns the selection of the questions whose passages random noise is drawn from. */
function poolSubset(seed: number): Subset {
  return { sample: POOL_QUESTIONS, seed: `${seed}/noise` };
}

interface ChooseParts {
  read: ReadSubset;
  source: PassageSource;
  /** Store for the passages that questions are asked with. */
  store: PassageStore;
  /** Counts questions that are left out or incomplete, if noise is asked for. */
  counts: NoiseCounts;
  /** Whether the method searches for passages, so that its corpus must exist. */
  searches: boolean;
  /** Store of the questions that have confirmed a claim. */
  confirmations: Confirmations;
}

/**
 * Yields the questions of a run in the order in which they are asked. The passages of a question
 * are stored before it is yielded.
 *
 * @throws Failure BadInput for a bad data set, such as a question without the gold answer that it
 * needs; if none is left (no question of the half of a tune, or with noise none for which a passage
 * with an answer is found); or if a question has to search a corpus and the run names none. Any
 * failure of opening the corpus.
 */
export async function* chooseQuestions(
  spec: RunSpec,
  parts: ChooseParts,
): AsyncGenerator<RunQuestion> {
  const questions = spec.noise ? withNoise(spec, spec.noise, parts) : asTheyAre(spec, parts);
  if (spec.half) yield* await questionsOfHalf(questions, spec.half, parts);
  else yield* spec.shuffle ? await shuffled(questions, spec.sampleSeed) : questions;
}

/**
 * Returns the questions of half A of a tune (on which it searches), of half B (on which it
 * confirms the result) or of both, in the order in which they are asked. Leaves out questions that
 * were used to confirm another claim. Keeps all of them in memory, without their passages.
 *
 * @throws Failure BadInput if none is left.
 */
export async function questionsOfHalf(
  questions: AsyncIterable<RunQuestion>,
  { of, cluster, claim }: RunHalf,
  { confirmations }: Pick<ChooseParts, 'confirmations'>,
): Promise<RunQuestion[]> {
  const chosen: RunQuestion[] = [];
  for await (const question of questions) {
    if (of !== 'all' && halfOf(question, cluster) !== of) continue;
    const used =
      claim === undefined ? undefined : await confirmations.claimOf(questionHash(question));
    if (used === undefined || used === claim) chosen.push(question);
  }
  if (chosen.length > 0) return drawnOrder(chosen);
  const what = of === 'all' ? 'that has not confirmed something else' : `in half ${of}`;
  throw new Failure('BadInput', `half: there is no question ${what}; more questions are needed.`);
}

/**
 * Returns the questions in the order of a seeded hash. Keeps all of them in memory, without their
 * passages.
 */
async function shuffled(
  questions: AsyncIterable<RunQuestion>,
  seed: number,
): Promise<RunQuestion[]> {
  const all: RunQuestion[] = [];
  for await (const question of questions) all.push(question);
  return inHashOrder(all, `order:${seed}`);
}

async function* asTheyAre(
  spec: RunSpec,
  { read, source, store, searches }: ChooseParts,
): AsyncGenerator<RunQuestion> {
  for await (const record of read(subsetOf(spec))) {
    checkScorable(record, spec);
    const own = source.own(record);
    if (searches && own.length === 0) await source.openCorpus(record);
    yield { ...withoutPassages(record), ...(own.length > 0 && { stored: await store.put(own) }) };
  }
}

async function* withNoise(
  spec: RunSpec,
  noise: NonNullable<RunSpec['noise']>,
  { read, source, store, counts }: ChooseParts,
): AsyncGenerator<RunQuestion> {
  const choose = await noiseChooser(noise, spec.sampleSeed, source, read);
  let taken = 0;
  for await (const record of read(subsetOf(spec))) {
    checkScorable(record, spec);
    const chosen = await choose(record);
    if (!chosen) {
      counts.withoutAnswer++;
      continue;
    }
    if (!chosen.complete) counts.incomplete++;
    const passages = chosen.passages.map(({ ownId, title, text, score }) => ({
      id: ownId,
      title,
      text,
      score,
    }));
    yield { ...withoutPassages(record), stored: await store.put(passages) };
    taken++;
  }
  if (taken > 0) return;
  throw new Failure(
    'BadInput',
    `noise: no passage with an answer was found for any of the ${counts.withoutAnswer} questions (noise.depth ${noise.depth}).`,
  );
}

/** @throws Failure BadInput if answers are required and the question has none to be scored by. */
function checkScorable(record: DatasetRecord, { requireAnswers = true }: RunSpec): void {
  const { id, answerable, answers, claims = [], longAnswers = [], passages = [] } = record;
  const hasGold =
    [answers, claims, longAnswers].some(({ length }) => length > 0) ||
    passages.some(({ isGold }) => isGold);
  if (!requireAnswers || answerable === false || hasGold) return;
  throw new Failure(
    'BadInput',
    `dataset: the question ${JSON.stringify(id)} has no answer to compare with; requireAnswers false asks it all the same`,
  );
}

type Noise = NonNullable<RunSpec['noise']>;

/**
 * A function that returns the passages of a question with noise; undefined if none has an answer,
 * so that the question is left out.
 */
type ChooseNoise = (record: DatasetRecord) => Promise<NoisyPassages<FoundPassage> | undefined>;

/** Number of questions whose passages random noise is drawn from. */
const POOL_QUESTIONS = 200;
/** Number of passages taken for each of them. */
const POOL_DEPTH = 10;

async function noiseChooser(
  noise: Noise,
  seed: number,
  source: PassageSource,
  read: ReadSubset,
): Promise<ChooseNoise> {
  const { ratio, kind, count, depth } = noise;
  const pool = new Map<string, { passage: FoundPassage; tokens: string }>();
  if (kind === 'random' && ratio > 0) {
    for await (const record of read(poolSubset(seed))) {
      for (const passage of await source.find(record, POOL_DEPTH)) {
        pool.set(passage.id, { passage, tokens: answerTokens(passage.text) });
      }
    }
  }
  return async (record) => {
    const found = await source.find(record, depth);
    const texts = found.map(({ text }) => text);
    const hits = scorePassages(record, texts, [])?.hits ?? [];
    const answers = record.answers.map(answerTokens);
    return selectNoisyPassages(
      found.map((passage, i) => ({ ...passage, hasAnswer: hits[i] ?? false })),
      {
        ratio,
        count,
        kind,
        seed: `${seed}/${record.id}`,
        pool: [...pool.values()].map(({ passage, tokens }) => ({
          ...passage,
          hasAnswer: containsAnswer(tokens, answers),
        })),
      },
    );
  };
}
