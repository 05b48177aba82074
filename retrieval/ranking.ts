/** Code that all search engines share: ranking with ties, checks, and failures. */
import { command } from '../core/command.js';
import { Failure } from '../core/failure.js';
import type { PassageRef } from '../core/vocabulary.js';

/**
 * A reference to a passage that a search found, with its position in the corpus, from 0, which
 * breaks ties.
 */
export type Hit = PassageRef & { position: number };

/**
 * Minimum number of passages that a hybrid search requests from each of its two searches, if the
 * corpus has as many.
 */
export const FUSED_DEPTH = 100;

/** Number of hits fetched beyond k, so that ties at rank k are usually seen completely. */
const TIE_MARGIN = 10;

/**
 * Returns references to the best `count` hits of a search, best first; equal scores are in corpus
 * order.
 *
 * @param find Returns the best `limit` hits, with ties in any order.
 */
export async function bestReferences(
  count: number,
  find: (limit: number) => Promise<Hit[]>,
): Promise<PassageRef[]> {
  return (await bestHits(count, find)).map(toRef);
}

/**
 * Returns the best `count` hits of a search, best first; equal scores are in corpus order.
 *
 * @param find Returns the best `limit` hits, with ties in any order.
 */
export async function bestHits<H extends Hit>(
  count: number,
  find: (limit: number) => Promise<H[]>,
): Promise<H[]> {
  for (let limit = count + TIE_MARGIN; ; limit *= 2) {
    const hits = await find(limit);
    hits.sort(compareByScore);
    // A tie may continue after the limit, so more hits are read.
    const cut = hits.length === limit && hits[count - 1]?.score === hits.at(-1)?.score;
    if (!cut) return hits.slice(0, count);
  }
}

/** Compares two hits, for `sort`: highest score first, equal scores in corpus order. */
export function compareByScore(a: Hit, b: Hit): number {
  return b.score - a.score || a.position - b.position;
}

/**
 * Returns the reference in a hit: its id, title and score, and `own` if it has one; not its
 * position in the corpus.
 */
export function toRef({ id, title, score, own }: Hit): PassageRef {
  return { id, title, score, ...(own && { own }) };
}

/**
 * Returns the field `own` of a passage's reference, `{ own: { id } }`, which has the id of the
 * passage's document; an empty object if that equals the passage's id.
 *
 * @param document Id of the document in the corpus file; null or undefined if it equals the
 * passage's id.
 */
export function documentReference(document: string | null | undefined): Pick<PassageRef, 'own'> {
  return typeof document === 'string' ? { own: { id: document } } : {};
}

/**
 * Checks the number of passages to search for; throws if it is invalid.
 *
 * @throws Failure BadInput unless it is a whole number of at least 1.
 */
export function checkCount(k: number): void {
  if (Number.isInteger(k) && k >= 1) return;
  throw new Failure('BadInput', `Asked for ${k} passages: the number must be 1 or more.`);
}

/**
 * Throws the failure for an id that a corpus does not have.
 *
 * @throws Failure UnknownPassage, always.
 */
export function throwUnknownPassage(id: string, corpus: string): never {
  throw new Failure(
    'UnknownPassage',
    `Corpus ${corpus} has no passage with id ${JSON.stringify(id)}: ` +
      'the question was retrieved from another corpus or another build of it.',
  );
}

/**
 * Returns the failure UnknownCorpus for a corpus that does not exist, with the names of those that
 * do; it is not thrown.
 *
 * @param flags Flags of the suggested command that builds it.
 */
export function unknownCorpus(
  name: string,
  names: readonly string[],
  flags: readonly string[] = [],
): Failure {
  const there = names.length === 0 ? 'none is indexed yet' : `there are: ${names.join(', ')}`;
  return new Failure(
    'UnknownCorpus',
    `There is no corpus ${name} (${there}). ` +
      `Build it: ${command('index', 'corpus.jsonl', '--into', name, ...flags)}`,
  );
}

/**
 * Returns the failure UnknownCorpus for a build that no longer exists; it is not thrown.
 *
 * @param served The build that replaced it.
 */
export function goneBuild(served: { name: string; source: string; builtAt: string }): Failure {
  const { name, source, builtAt } = served;
  return new Failure(
    'UnknownCorpus',
    `The build of corpus ${name} with which this began no longer exists: it was replaced at ${builtAt} by a build of ${source}. ` +
      `Build it as it was: ${command('index', 'corpus.jsonl', '--into', name)}`,
  );
}
