/** Estimates the results of searches in a corpus from a few searches. */
import type { Ports } from '../activities/runtime/ports.js';
import { tokensOf } from '../core/estimate.js';
import type { RunSpec } from '../core/run/input.js';
import type { Passage } from '../core/vocabulary.js';
import { passageText } from '../retrieval/retriever.js';
import type { RetrieveInput } from '../steps/non-model-steps.js';
import type { OwnMethod } from '../workflows/define-method.js';
import { BLANK_PASSAGES, plansByBranch } from './planning.js';

/**
 * Returns the passages that a corpus has for each question, in the order of the questions, each
 * list best first.
 *
 * @param depth Maximum number of passages for each question; for 0, nothing is searched and the
 * result is empty.
 * @param name Name of the corpus.
 * @throws Failure UnknownCorpus.
 */
export async function searchAll(
  questions: readonly string[],
  depth: number,
  name: string,
  { corpora }: Pick<Ports, 'corpora'>,
): Promise<Passage[][]> {
  const corpus = await corpora.open(name);
  if (depth === 0) return [];
  return Promise.all(
    questions.map(async (question) => {
      const found = await corpus.search(question, depth);
      return corpus.get(found.map(({ id }) => id));
    }),
  );
}

/**
 * Returns the passages with which a search is planned: the longest passage of all sample searches,
 * then the longest of their second longest, and so on. If other queries may find more passages,
 * copies of the longest follow, up to the number that one search can find.
 *
 * @param searches Results of the sample searches.
 */
export async function longestFound(
  searches: readonly (readonly Passage[])[],
  { depth, widens }: SearchNeeds,
  corpus: string,
  { describeCorpus }: Pick<Ports, 'describeCorpus'>,
): Promise<Passage[]> {
  const sorted = searches.map(longestFirst);
  const most = Math.max(0, ...sorted.map(({ length }) => length));
  const found = Array.from(
    { length: most },
    (_, i) => longestFirst(sorted.flatMap((one) => one[i] ?? []))[0],
  );
  const passages = found.filter((passage) => passage !== undefined);
  const [longest] = passages;
  if (!widens || longest === undefined) return passages;
  const { passages: size } = await describeCorpus(corpus);
  const reach = typeof size === 'number' ? Math.min(depth, size) : depth;
  const more = Array.from({ length: Math.max(0, reach - passages.length) }, () => longest);
  return [...passages, ...more];
}

/** The searches that a method can make. */
interface SearchNeeds {
  /** Maximum number of passages that one search asks for. */
  depth: number;
  /**
   * Whether searches use more than the words of the question: the model's queries, or vectors.
   */
  widens: boolean;
  /** Whether the method chooses among branches by the output of a step. */
  branches: boolean;
}

/**
 * Returns how a method searches with the options of a run: the most passages that one search asks
 * for, including noise that the run adds (`depth`; 0 if nothing is searched), whether it searches
 * by more than the words of the question (`widens`), and whether it chooses among branches
 * (`branches`). Makes no call.
 */
export async function searchNeeds(
  method: OwnMethod<unknown>,
  { options, mode = 'bm25', noise }: RunSpec,
  { steps }: Pick<Ports, 'steps'>,
): Promise<SearchNeeds> {
  const inputs = { passages: BLANK_PASSAGES, available: Infinity, steps };
  const plans = await plansByBranch(method, { question: 'question', options }, inputs);
  const searches = plans.flatMap(({ calls }) => calls).filter(({ step }) => step === 'retrieve');
  const searchInputs = searches.map(({ input }) => input as RetrieveInput);
  return {
    depth: Math.max(0, noise?.depth ?? 0, ...searchInputs.map(({ count }) => count)),
    branches: plans.length > 1,
    widens: mode !== 'bm25' || searchInputs.some(({ query }) => query !== 'question'),
  };
}

/**
 * Returns the passages sorted by the tokens that they take in a prompt, most first, in a new array.
 */
export function longestFirst<P extends Omit<Passage, 'id'>>(passages: readonly P[]): P[] {
  const sized = passages.map((passage) => ({ passage, tokens: tokensOf(passageText(passage)) }));
  return sized.sort((a, b) => b.tokens - a.tokens).map(({ passage }) => passage);
}
