/** Estimates the results of searches in a corpus from a few searches. */
import type { Ports } from '../activities/runtime/ports.js';
import { tokensOf } from '../core/estimate.js';
import type { RunSpec } from '../core/run/input.js';
import type { Passage } from '../core/vocabulary.js';
import { passageText } from '../retrieval/retriever.js';
import type { RetrieveInput } from '../steps/other.js';
import type { OwnMethod } from '../workflows/define-method.js';
import { BLANKS, waysOf } from './planning.js';

/** Returns the passages that questions find, as many as the method reads at most. */
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
 * Returns the longest passages of all searches, longest first. If searches may find more than the
 * questions do by their words, the other passages count as the longest.
 */
export async function longestFound(
  searches: readonly (readonly Passage[])[],
  { depth, widens }: Searching,
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

interface Searching {
  /** Most passages that one search asks for. */
  depth: number;
  /**
   * Whether searches may find other passages than by the question's words: with the model's queries
   * or with vectors.
   */
  widens: boolean;
  /** Whether the method chooses among several ways. */
  branches: boolean;
}

export async function searchingOf(
  method: OwnMethod<unknown>,
  { options, mode = 'bm25', noise }: RunSpec,
  { steps }: Pick<Ports, 'steps'>,
): Promise<Searching> {
  const world = { passages: BLANKS, available: Infinity, steps };
  const ways = await waysOf(method, { question: 'question', options }, world);
  const searches = ways.flatMap(({ calls }) => calls).filter(({ step }) => step === 'retrieve');
  const inputs = searches.map(({ input }) => input as RetrieveInput);
  return {
    depth: Math.max(0, noise?.depth ?? 0, ...inputs.map(({ count }) => count)),
    branches: ways.length > 1,
    widens: mode !== 'bm25' || inputs.some(({ query }) => query !== 'question'),
  };
}

/** Returns passages by the tokens they take in a prompt, most first. */
export function longestFirst<P extends Omit<Passage, 'id'>>(passages: readonly P[]): P[] {
  const sized = passages.map((passage) => ({ passage, tokens: tokensOf(passageText(passage)) }));
  return sized.sort((a, b) => b.tokens - a.tokens).map(({ passage }) => passage);
}
