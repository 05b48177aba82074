/** Common code of all engines: counts, ties, missing ids. */
import { command } from '../core/command.js';
import { Failure } from '../core/failure.js';
import type { PassageRef } from '../core/vocabulary.js';

/** A passage found, with its place in the corpus. */
export type Hit = PassageRef & { position: number };

/** The least depth at which the lists of a hybrid search are joined. */
export const FUSED_DEPTH = 100;

/** Fetched beyond k, so that the first attempt sees most ties at rank k completely. */
const TIE_MARGIN = 10;

/** Returns the first hits as references; equal scores are in corpus order. */
export async function best(
  count: number,
  find: (limit: number) => Promise<Hit[]>,
): Promise<PassageRef[]> {
  return (await bestHits(count, find)).map(toRef);
}

/** Returns the first hits; equal scores are in corpus order. */
export async function bestHits<H extends Hit>(
  count: number,
  find: (limit: number) => Promise<H[]>,
): Promise<H[]> {
  for (let limit = count + TIE_MARGIN; ; limit *= 2) {
    const hits = await find(limit);
    hits.sort(byScore);
    // A tie may continue after the limit, so more hits are read.
    const cut = hits.length === limit && hits[count - 1]?.score === hits.at(-1)?.score;
    if (!cut) return hits.slice(0, count);
  }
}

/** Compares hits by score, highest first; equal scores are in corpus order. */
export function byScore(a: Hit, b: Hit): number {
  return b.score - a.score || a.position - b.position;
}

export function toRef({ id, title, score, own }: Hit): PassageRef {
  return { id, title, score, ...(own && { own }) };
}

/** Returns the document of a hit's passage, if its own id does not name it. */
export function ofDocument(document: string | null | undefined): Pick<PassageRef, 'own'> {
  return typeof document === 'string' ? { own: { id: document } } : {};
}

/** @throws Failure BadInput unless k is a whole number of at least 1. */
export function checkCount(k: number): void {
  if (Number.isInteger(k) && k >= 1) return;
  throw new Failure('BadInput', `Asked for ${k} passages: the number must be 1 or more.`);
}

/** @throws Failure UnknownPassage, always. */
export function unknownPassage(id: string, corpus: string): never {
  throw new Failure(
    'UnknownPassage',
    `Corpus ${corpus} has no passage with id ${JSON.stringify(id)}: ` +
      'the question was retrieved from another corpus or another build of it.',
  );
}

/** Returns the failure for a corpus that does not exist, with those that do. */
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

/** Returns the failure of a corpus whose content no longer exists, whatever has replaced it. */
export function goneBuild(served: { name: string; source: string; builtAt: string }): Failure {
  const { name, source, builtAt } = served;
  return new Failure(
    'UnknownCorpus',
    `What corpus ${name} held when this began is not here any more: since ${builtAt} it is another build, of ${source}. ` +
      `Build it as it was: ${command('index', 'corpus.jsonl', '--into', name)}`,
  );
}
